import { publicJson } from "../../lib/platform/http/public_json.ts";
import { issuerOfState, METADATA, resourceMetadata } from "../../lib/features/oauth/mod.ts";
import { define, type State } from "../../lib/app/state.ts";

/** Describes the MCP endpoint to clients that followed a challenge (RFC 9728, section 5.1). */
export const handler = define.handlers(
  publicJson<State>((state) => resourceMetadata(issuerOfState(state, "challenge")), METADATA),
);
