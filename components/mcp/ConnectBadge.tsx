import { type ConnectProps, connectProps } from "../../lib/features/mcp/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { MCPBadge } from "./MCPBadge.tsx";

/** The badge in the bar of a marketing site's pages. On pages without scripts, it is a link. */
export function ConnectBadge({ state }: { state: State }) {
  return (
    <div class="badge-slot">
      {state.scripts
        ? <MCPBadge {...connectPropsOf(state)} />
        : <a class="mcp-badge" href="/connect">MCP Enabled ↓</a>}
    </div>
  );
}

/** Returns the props for the surface's organisation. */
export function connectPropsOf({ surface, services }: State): ConnectProps {
  const { organisations, productName } = services.config;
  const { codeHostUrl, registration } = organisations[surface.organisation];
  return connectProps(services.manifests[surface.organisation], {
    codeHostUrl,
    registration,
    productName,
    steward: {
      name: organisations.foundation.name,
      url: services.surfaces.url("foundation"),
    },
  });
}
