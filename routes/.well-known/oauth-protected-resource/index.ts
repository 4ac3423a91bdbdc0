import { publicJson } from "../../../lib/platform/http/public_json.ts";
import { issuerOfState, METADATA, resourceMetadata } from "../../../lib/features/oauth/mod.ts";
import { define, type State } from "../../../lib/app/state.ts";

/** Describes the MCP endpoint to clients that look at the root (RFC 9728). */
export const handler = define.handlers(
  publicJson<State>((state) => resourceMetadata(issuerOfState(state, "published")), METADATA),
);
