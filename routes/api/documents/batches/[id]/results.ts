import { readBatchResults } from "../../../../../lib/features/api/mod.ts";
import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Returns the outcome of each row of a batch as a CSV file. */
export const handler = route({
  GET: withKey(
    readBatchResults,
    ({ params, state: { services } }, caller) => services.batchApi.results(caller, params.id),
  ),
});
