import { publicJson } from "../../lib/platform/http/public_file.ts";
import { AI_CATALOG_TYPE, aiCatalog } from "../../lib/features/mcp/mod.ts";
import type { RouteProperties, State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "A document of the Model Context Protocol's registries, in their formats.",
};

/** Returns the AI catalogue, which leads to the server card, to any origin. */
export const handler = publicJson<State>(
  ({ services, surface }) => aiCatalog(services.manifests[surface.organisation]),
  { contentType: AI_CATALOG_TYPE },
);
