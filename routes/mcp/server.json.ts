import { publicJson } from "../../lib/http/public_json.ts";
import { registryEntry } from "../../lib/mcp/mod.ts";
import { define, type State } from "../../lib/state.ts";

/** Returns the server's entry for the MCP registry to any origin. */
export const handler = define.handlers(
  publicJson<State>(({ services, surface }) =>
    registryEntry(services.manifests[surface.organisation])
  ),
);
