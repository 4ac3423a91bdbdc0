import { readBatchResults } from "../../../../../lib/features/api/mod.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";
import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Returns the outcome of each row of a batch as a CSV file. */
export const handler = route({
  GET: withKey(
    readBatchResults,
    async ({ params, state: { services } }, caller) =>
      unwrap(await services.batchApi.results(caller, params.id)).csv,
  ),
});
