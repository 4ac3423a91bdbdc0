import type { ComponentChildren } from "preact";
import { CodeBlock } from "../CodeBlock.tsx";
import { connectionStrings, type ConnectProps } from "../../lib/discovery/connect.ts";
import { AboutEntity } from "./AboutEntity.tsx";
import { WORDS, WORKS_WITH } from "./words.ts";

export interface ConnectSection {
  heading: string;
  body: ComponentChildren;
}

/** The explainer's sections in the order of spec 4.5.3, for the overlay and for `/connect`. */
export function connectSections(props: ConnectProps): ConnectSection[] {
  const { entityName, entityDescription, endpoint } = props;
  const words = WORDS[props.entity];
  const { command, json } = connectionStrings(props);
  return [
    {
      heading: "New to MCP? You're not alone.",
      body: (
        <>
          <p>
            The Model Context Protocol is an open standard that connects AI assistants to sources
            and services. It is young, and most people have had no reason yet to know its name.
          </p>
          <p>
            You go on asking in your own words. What changes is where the answer comes from: your
            assistant asks here, and can show you what it was told.
          </p>
        </>
      ),
    },
    {
      heading: "Why this matters for you",
      body: (
        <>
          <p>{words.why(entityName)}</p>
          <AboutEntity name={entityName} description={entityDescription} />
          <p>
            The server only reads and needs no account. It receives what your assistant sends in a
            call, and nothing else of your conversation.
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
          their own. So you introduce the two to each other, once.
        </p>
      ),
    },
    {
      heading: "Connect your agent",
      body: (
        <>
          <p>
            Copy one of these. Both lead to <code>{endpoint}</code>.
          </p>
          <CodeBlock label="Desktop or command-line assistant" code={command} />
          <p class="note">Run it once in a terminal that has the claude command.</p>
          <CodeBlock label="Any MCP-compatible client" code={json} />
          <p class="note">
            For the client's configuration. Clients differ in the file's place and sometimes in a
            field's name; the address stays the same.
          </p>
          <p>
            Then ask, for example: <q>{words.ask}</q>
          </p>
          <p class="works-with">
            <strong>Works with</strong>
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
          <p>{words.relation(entityName)}</p>
        </>
      ),
    },
  ];
}
