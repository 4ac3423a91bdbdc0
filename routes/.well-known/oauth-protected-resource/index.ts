import { publicJson } from "../../../lib/platform/http/public_json.ts";
import { issuerOfState, METADATA, resourceMetadata } from "../../../lib/features/oauth/mod.ts";
import type { RouteProperties, State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "The authorization server of agents, which its metadata describes.",
};

/** Describes the MCP endpoint to clients that look at the root (RFC 9728). */
export const handler = publicJson<State>(
  (state) => resourceMetadata(issuerOfState(state, "published")),
  METADATA,
);
