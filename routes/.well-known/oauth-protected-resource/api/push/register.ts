import { publicJson } from "../../../../../lib/platform/http/public_json.ts";
import { METADATA, pushMetadataOfState } from "../../../../../lib/features/oauth/mod.ts";
import type { RouteProperties, State } from "../../../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "The authorization server of agents, which its metadata describes.",
};

/** Describes where apps register phones for notifications (RFC 9728, section 3.1). */
export const handler = publicJson<State>(pushMetadataOfState, METADATA);
