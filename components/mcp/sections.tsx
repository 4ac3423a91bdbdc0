/** The headings and texts of the MCP explainer, for its dialog and its page `/connect`. */
import type { ComponentChildren } from "preact";
import { connectionStrings, type ConnectProps } from "../../lib/features/mcp/connect.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { mixedText } from "../mixed_text.ts";
import { TEXTS, WORKS_WITH } from "./texts.ts";

export interface ExplainerSection {
  heading: string;
  /** The id of its heading, if something leads there. */
  id?: string;
  body: ComponentChildren;
}

/** Returns the sections in the order of spec 4.5.3. The first ones are short, so that the texts to copy are in view. */
export function explainerSections(props: ConnectProps): ExplainerSection[] {
  return [...introduction(props), connection(props), management(props)];
}

/** Returns the sections before the texts to copy. */
const introduction = ({ entity, entityName }: ConnectProps): ExplainerSection[] => [
  {
    heading: "New to MCP? You're not alone.",
    body: (
      <p>
        MCP, the Model Context Protocol, lets AI assistants ask sources like us.
      </p>
    ),
  },
  { heading: "Why this matters for you", body: <p>{TEXTS[entity].why(entityName)}</p> },
  {
    heading: "Why you have to tell your agent",
    body: (
      <p>
        Agents do not auto-discover MCP servers yet, so you add ours yourself, once.
      </p>
    ),
  },
];

/** The id of the heading above the texts to copy. */
export const CONNECT_ID = "connect-your-agent";

/** Returns the address of the server's own page, with the steps for each client. */
export const clientsUrl = ({ endpoint }: Pick<ConnectProps, "endpoint">): string =>
  new URL("/#clients", endpoint).href;

function connection(props: ConnectProps): ExplainerSection {
  const { command, json } = connectionStrings(props);
  return {
    heading: "Connect your agent",
    id: CONNECT_ID,
    body: (
      <>
        <p>
          The server is at <code class="connect-url">{props.endpoint}</code>
        </p>
        <CodeBlock label="Desktop or command-line assistant" code={command} />
        <CodeBlock label="Any MCP-compatible client" code={json} />
        <p class="note">
          Run the first once in a terminal that has the claude command, or add the second to your
          client's configuration.{" "}
          <a href={clientsUrl(props)}>Which file and field, by client</a>. The server is read-only
          and receives only what your assistant sends in a call. You need no account: if your
          assistant asks you to sign in, choose <q>Continue without a record</q>.
        </p>
        <FirstQuestion entity={props.entity} />
      </>
    ),
  };
}

/** Something to ask first, and the products that connect. */
export const FirstQuestion = ({ entity }: Pick<ConnectProps, "entity">) => (
  <>
    <p>
      Then ask, for example: <q>{TEXTS[entity].question}</q>
    </p>
    {/* No product's name is broken, and no line begins with a dot. */}
    <p class="works-with muted">
      <strong class="ink">Works with</strong>
      {WORKS_WITH.map((name, i) => [
        " ",
        <span class="nowrap" key={name}>{i < WORKS_WITH.length - 1 ? `${name} ·` : name}</span>,
      ])}
    </p>
  </>
);

const management = (
  { entity, entityName, entityDescription }: ConnectProps,
): ExplainerSection => ({
  heading: "Who manages MCP?",
  body: (
    <>
      <p>
        MCP is maintained by the Agentic AI Foundation, an open-governance foundation under the
        Linux Foundation. No single company owns it. The specification is at{" "}
        <a href="https://modelcontextprotocol.io">modelcontextprotocol.io</a>.
      </p>
      <p>{TEXTS[entity].relation(entityName)}</p>
      <div class="about-entity pad-4-5">
        <strong>{entityName}</strong>
        {entityDescription.split("\n\n").map((text) => (
          <p class="muted" key={text}>{withLinks(text)}</p>
        ))}
      </div>
    </>
  ),
});

const ADDRESS = /(https?:\/\/\S*[\w/]|[\w.+-]+@[\w.-]+\w)/;

/** Turns URLs and email addresses in a text into links. */
function withLinks(text: string) {
  // With a capturing group, `split` returns the matches at odd positions.
  return mixedText(
    text.split(ADDRESS).map((part, i) => {
      if (i % 2 === 0) return part;
      return <a key={part} href={part.includes("://") ? part : `mailto:${part}`}>{part}</a>;
    }),
  );
}
