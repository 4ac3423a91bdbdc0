import { publicJson } from "../../lib/platform/http/public_file.ts";
import { REGISTRY_CARD_TYPE, registryCard } from "../../lib/features/mcp/mod.ts";
import type { RouteProperties, State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "A document of the Model Context Protocol's registries, in their formats.",
};

/** Returns the server card of catalogues (SEP-2127) to any origin. */
export const handler = publicJson<State>(
  ({ services, surface }) => registryCard(services.manifests[surface.organisation]),
  { contentType: REGISTRY_CARD_TYPE },
);
