import { mcpTools, SERVER_CARD_PATH, SERVER_DESCRIPTOR_PATH } from "../../lib/mcp/mod.ts";
import type { State } from "../../lib/state.ts";

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
        <li>
          <a href={SERVER_CARD_PATH}>Server card</a>
        </li>
        <li>
          <a href={SERVER_DESCRIPTOR_PATH}>Server descriptor</a>
        </li>
      </ul>
      <p>
        More about {manifest.organisationName} on <a href={manifest.siteBaseUrl}>its site</a>.
      </p>
    </section>
  );
}
