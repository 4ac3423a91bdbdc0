import { publicJson } from "../../lib/http/public_json.ts";
import { REGISTRY_CARD_TYPE, registryCard } from "../../lib/mcp/mod.ts";
import { define, type State } from "../../lib/state.ts";

/** Returns the server card of catalogues (SEP-2127) to any origin. */
export const handler = define.handlers(publicJson<State>(
  ({ services, surface }) => registryCard(services.manifests[surface.organisation]),
  { contentType: REGISTRY_CARD_TYPE },
));
