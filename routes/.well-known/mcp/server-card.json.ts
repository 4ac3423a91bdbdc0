import { publicJson } from "../../../lib/http/public_json.ts";
import { serverCard } from "../../../lib/mcp/mod.ts";
import { define, type State } from "../../../lib/state.ts";

/** Returns the server card (spec 2.7) to any origin. */
export const handler = define.handlers(
  publicJson<State>(({ services, surface }) =>
    serverCard(services.manifests[surface.organisation])
  ),
);
