import { publicJson } from "../../../lib/http/public_json.ts";
import { issuerOfState, METADATA, serverMetadata } from "../../../lib/oauth/mod.ts";
import { define, type State } from "../../../lib/state.ts";

/** Describes the authorization server (RFC 8414). */
export const handler = define.handlers(
  publicJson<State>((state) => serverMetadata(issuerOfState(state, "published")), METADATA),
);
