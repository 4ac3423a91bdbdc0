import { publicJson } from "../../../lib/platform/http/public_json.ts";
import { issuerOfState, METADATA, serverMetadata } from "../../../lib/features/oauth/mod.ts";
import type { RouteProperties, State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "The authorization server of agents, which its metadata describes.",
};

/** Describes the authorization server to clients that followed a challenge (RFC 8414, section 3.1). */
export const handler = publicJson<State>(
  (state) => serverMetadata(issuerOfState(state, "challenge")),
  METADATA,
);
