import { growingFile, IMMUTABLE } from "../../../lib/platform/http/public_file.ts";
import type { RouteProperties, State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  anonymous: true,
  notInOpenApi: "A file of the public log, which the standard describes.",
};

/** Returns a set of the publisher's keys as it was logged, to any origin. */
export const handler = growingFile<State>(
  ({ state, params: { n } }) => state.services.logFiles.keySet(n),
  {
    contentType: "application/jwk-set+json",
    cacheControl: IMMUTABLE,
    missing: "The log has no key set with this number.",
  },
);
