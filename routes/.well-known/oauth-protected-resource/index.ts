import { publicJson } from "../../../lib/http/public_json.ts";
import { issuerOfState, METADATA, resourceMetadata } from "../../../lib/oauth/mod.ts";
import { define, type State } from "../../../lib/state.ts";

/** Describes the MCP endpoint to clients that look at the root (RFC 9728). */
export const handler = define.handlers(
  publicJson<State>((state) => resourceMetadata(issuerOfState(state, "published")), METADATA),
);
