import MCPBadge from "../../islands/MCPBadge.tsx";
import { type ConnectProps, connectProps } from "../../lib/discovery/mod.ts";
import type { State } from "../../lib/state.ts";

/** The badge of a marketing site's page; on a page without scripts it stays a link. */
export function ConnectBadge({ state }: { state: State }) {
  return (
    <aside aria-label="For agents">
      {state.scripts
        ? <MCPBadge {...connectPropsOf(state)} />
        : <a class="mcp-badge" href="/connect">MCP Enabled ↓</a>}
    </aside>
  );
}

/** The props of the organisation that the surface belongs to. */
export function connectPropsOf({ surface, services }: State): ConnectProps {
  const { organisations, productName } = services.config;
  return connectProps(services.manifests[surface.organisation], {
    codeHostUrl: organisations[surface.organisation].codeHostUrl,
    productName,
    steward: {
      name: organisations.foundation.name,
      url: services.surfaces.url("foundation"),
    },
  });
}
