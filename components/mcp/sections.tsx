import type { ComponentChildren } from "preact";
import { connectionStrings, type ConnectProps } from "../../lib/features/mcp/connect.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { TEXTS, WORKS_WITH } from "./texts.ts";

export interface ExplainerSection {
  heading: string;
  body: ComponentChildren;
}

/** Returns the sections in the order of spec 4.5.3. */
export function explainerSections(props: ConnectProps): ExplainerSection[] {
  const { entityName, entityDescription, endpoint } = props;
  const texts = TEXTS[props.entity];
  const { command, json } = connectionStrings(props);
  return [
    {
      heading: "New to MCP? You're not alone.",
      body: (
        <>
          <p>
            The Model Context Protocol is an open standard that connects AI assistants to sources
            and services. It is new, so most people have not heard of it yet.
          </p>
          <p>
            You still ask in your own words. What changes is where the answers come from: your
            assistant asks us, and can show you what it received.
          </p>
        </>
      ),
    },
    {
      heading: "Why this matters for you",
      body: (
        <>
          <p>{texts.why(entityName)}</p>
          <div class="about-entity pad-4-5">
            <strong>{entityName}</strong>
            {entityDescription.split("\n\n").map((text) => (
              <p class="muted" key={text}>{withLinks(text)}</p>
            ))}
          </div>
          <p>
            The server is read-only and needs no account. It receives what your assistant sends in a
            call, and nothing else from your conversation.
          </p>
        </>
      ),
    },
    {
      heading: "Why you have to tell your agent",
      body: (
        <p>
          Agents do not auto-discover MCP servers yet. This site announces its server in a header,
          in every page and in a document at a well-known address, but few assistants look there on
          their own. So you add the server to your assistant yourself, once.
        </p>
      ),
    },
    {
      heading: "Connect your agent",
      body: (
        <>
          <p>
            Copy one of these. Both connect to <code>{endpoint}</code>.
          </p>
          <CodeBlock label="Desktop or command-line assistant" code={command} />
          <p class="note">Run it once in a terminal that has the claude command.</p>
          <CodeBlock label="Any MCP-compatible client" code={json} />
          <p class="note">
            Add it to the client's configuration. The location of the file, and sometimes the name
            of a field, differs between clients; the address is always the same.
          </p>
          <p class="note">
            Signing in is optional. If your assistant asks you to, sign in to your record, or choose
            {" "}
            <q>Continue without a record</q>.
          </p>
          <p>
            Then ask, for example: <q>{texts.question}</q>
          </p>
          <p class="works-with muted">
            <strong class="ink">Works with</strong>
            {WORKS_WITH.map((name, i) => [
              " ",
              <span key={name}>{i < WORKS_WITH.length - 1 ? `${name} ·` : name}</span>,
            ])}
          </p>
        </>
      ),
    },
    {
      heading: "Who manages MCP?",
      body: (
        <>
          <p>
            MCP is maintained by the Agentic AI Foundation, an open-governance foundation under the
            Linux Foundation. No single company owns it: changes are proposed and discussed in
            public, and its maintainers decide. The specification is at{" "}
            <a href="https://modelcontextprotocol.io">modelcontextprotocol.io</a>.
          </p>
          <p>{texts.relation(entityName)}</p>
        </>
      ),
    },
  ];
}

const ADDRESS = /(https?:\/\/\S*[\w/]|[\w.+-]+@[\w.-]+\w)/;

/** Turns URLs and email addresses in a text into links. */
function withLinks(text: string) {
  // With a capturing group, `split` returns the matches at odd positions.
  return text.split(ADDRESS).map((part, i) => {
    if (i % 2 === 0) return part;
    return <a key={part} href={part.includes("://") ? part : `mailto:${part}`}>{part}</a>;
  });
}
