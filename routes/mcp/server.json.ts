import { publicJson } from "../../lib/platform/http/public_file.ts";
import { registryEntry } from "../../lib/features/mcp/mod.ts";
import type { RouteProperties, State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "A document of the Model Context Protocol's registries, in their formats.",
};

/** Returns the server's entry for the MCP registry to any origin. */
export const handler = publicJson<State>(({ services, surface }) =>
  registryEntry(services.manifests[surface.organisation])
);
