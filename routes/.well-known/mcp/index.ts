import { publicJson } from "../../../lib/platform/http/public_file.ts";
import { serverDescriptor } from "../../../lib/features/mcp/mod.ts";
import type { RouteProperties, State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "programs" };

/** Returns the server descriptor (spec 2.7) to any origin. */
export const handler = publicJson<State>(({ services, surface }) =>
  serverDescriptor(services.manifests[surface.organisation])
);
