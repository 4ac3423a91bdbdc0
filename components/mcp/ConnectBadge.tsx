import { type ConnectProps, connectProps } from "../../lib/mcp/mod.ts";
import type { State } from "../../lib/state.ts";
import { MCPBadge } from "./MCPBadge.tsx";

/** The badge of a marketing site's pages, which is a link on pages without scripts. */
export function ConnectBadge({ state }: { state: State }) {
  return (
    <aside aria-label="For agents">
      {state.scripts
        ? <MCPBadge {...connectPropsOf(state)} />
        : <a class="mcp-badge" href="/connect">MCP Enabled ↓</a>}
    </aside>
  );
}

/** Returns the props of the surface's organisation. */
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
