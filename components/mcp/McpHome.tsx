/** The home page of each organisation's MCP server: its URL, clients, tools and documents. */
import { PageHead } from "../PageHead.tsx";
import {
  AI_CATALOG_PATH,
  REGISTRY_CARD_PATH,
  REGISTRY_ENTRY_PATH,
  SERVER_CARD_PATH,
  SERVER_DESCRIPTOR_PATH,
} from "../../lib/features/mcp/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { clientGuide } from "./client_guide.tsx";
import type { ExplainerSection } from "./sections.tsx";
import { TEXTS } from "./texts.ts";
import { ToolReference } from "./ToolReference.tsx";

const DOCUMENTS = [
  [SERVER_CARD_PATH, "Server card", "what agents read first"],
  [SERVER_DESCRIPTOR_PATH, "Server descriptor", "endpoints, limits and sign-in"],
  [REGISTRY_CARD_PATH, "Server card for catalogues", "the format of MCP catalogues"],
  [AI_CATALOG_PATH, "AI catalogue", "lists the card above"],
  [REGISTRY_ENTRY_PATH, "Registry entry", "server.json of the MCP registry"],
];

/** The home page of an MCP host, for people. */
export function McpHome({ state }: { state: State }) {
  const { organisation } = state.surface;
  const manifest = state.services.manifests[organisation];
  const { tools } = state.services.mcp[organisation];
  const { foundation, commercial } = state.services.config.organisations;
  const [clients, ...explanations] = clientGuide(state);
  const limit = manifest.requestsPerMinute;
  const { lead, tool } = TEXTS[organisation];
  return (
    <div>
      <PageHead title={manifest.title} description={state.surface.purpose} styles="mcp" />
      <header class="connect-opening stack bottom">
        <div>
          <p class="eyebrow">For AI assistants</p>
          <h1>{manifest.title}</h1>
          <p class="lead above-4">{lead}</p>
          <p class="flush above-4 muted">
            New to MCP?{" "}
            <a href={`${manifest.siteBaseUrl}/connect`}>What it is, and who manages it</a>
          </p>
        </div>
        <div>
          <CodeBlock label="Copy the server's URL" code={manifest.endpoint} />
          <dl class="split-facts stack gap-3-5 text-small">
            <div>
              <dt class="muted">Transport</dt>
              <dd class="bold">Streamable HTTP</dd>
            </div>
            <div>
              <dt class="muted">Revision</dt>
              <dd class="bold">{manifest.protocolVersion}</dd>
            </div>
            <div>
              <dt class="muted">Account</dt>
              <dd class="bold">not needed</dd>
            </div>
            {limit !== null && (
              <div>
                <dt class="muted">Limit</dt>
                <dd class="bold">{limit} requests a minute</dd>
              </div>
            )}
          </dl>
        </div>
      </header>
      <Part {...clients} />
      <section class="mcp-tools lined" aria-labelledby="tools">
        <h2 id="tools">Tools</h2>
        <p class="lead">
          {tools.length}{" "}
          tools, all read-only. Open one to call it from this page. They answer about the standard
          from the text of {foundation.name}, and about qualifications and records from the data of
          {" "}
          {commercial.name}, on both servers.
        </p>
        <ToolReference tools={tools} open={tool} endpoint={manifest.endpoint} />
      </section>
      {explanations.map((part) => <Part key={part.heading} {...part} />)}
      <section class="split-part stack lined one-column-960">
        <h2 class="text-large" id="documents">Documents for programs</h2>
        <div>
          <ul class="mcp-documents below-4">
            {DOCUMENTS.map(([path, name, about]) => (
              <li key={path}>
                <a href={path}>{name}</a>: <span class="muted">{about}</span>
              </li>
            ))}
          </ul>
          <p>
            <a href={manifest.siteBaseUrl}>{manifest.organisationName}</a>
          </p>
        </div>
      </section>
    </div>
  );
}

const Part = ({ heading, id, body }: ExplainerSection) => (
  <section class="split-part stack lined one-column-960">
    <h2 class="text-large" id={id}>{heading}</h2>
    <div>{body}</div>
  </section>
);
