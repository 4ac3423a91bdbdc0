import { Fragment } from "preact";
import {
  AI_CATALOG_PATH,
  mcpTools,
  REGISTRY_CARD_PATH,
  REGISTRY_ENTRY_PATH,
  SERVER_CARD_PATH,
  SERVER_DESCRIPTOR_PATH,
} from "../../lib/mcp/mod.ts";
import type { State } from "../../lib/state.ts";
import { clientGuide } from "./client_guide.tsx";

const DOCUMENTS = [
  [SERVER_CARD_PATH, "Server card"],
  [SERVER_DESCRIPTOR_PATH, "Server descriptor"],
  [REGISTRY_CARD_PATH, "Server card for catalogues"],
  [AI_CATALOG_PATH, "AI catalogue"],
  [REGISTRY_ENTRY_PATH, "Entry for the MCP registry"],
];

/** The home page of an MCP host, for people. */
export function McpHome({ state }: { state: State }) {
  const manifest = state.services.manifests[state.surface.organisation];
  return (
    <section class="prose">
      <p class="eyebrow">Model Context Protocol {manifest.protocolVersion}</p>
      <h1>{manifest.title}</h1>
      <p class="lead">
        This host is for agents. Connect yours to <code>{manifest.endpoint}</code>{" "}
        over Streamable HTTP; no account is needed.
      </p>
      {clientGuide(state).map(({ heading, body }) => (
        <Fragment key={heading}>
          <h2>{heading}</h2>
          {body}
        </Fragment>
      ))}
      <h2>Tools</h2>
      <dl class="facts">
        {mcpTools.map((tool) => (
          <>
            <dt>
              <code>{tool.name}</code>
            </dt>
            <dd>{tool.description}</dd>
          </>
        ))}
      </dl>
      <h2>Documents</h2>
      <ul>
        {DOCUMENTS.map(([path, name]) => (
          <li key={path}>
            <a href={path}>{name}</a>
          </li>
        ))}
      </ul>
      <p>
        More about {manifest.organisationName} on <a href={manifest.siteBaseUrl}>its site</a>.
      </p>
    </section>
  );
}
