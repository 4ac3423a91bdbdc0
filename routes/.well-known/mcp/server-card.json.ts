import { publicJson } from "../../../lib/platform/http/public_file.ts";
import { serverCard } from "../../../lib/features/mcp/mod.ts";
import type { RouteProperties, State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "programs" };

/** Returns the server card (spec 2.7) to any origin. */
export const handler = publicJson<State>(({ services, surface }) =>
  serverCard(services.manifests[surface.organisation])
);
