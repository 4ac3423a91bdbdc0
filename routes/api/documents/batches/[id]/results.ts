import { readBatchResults } from "../../../../../lib/features/api/mod.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";
import { serveOperation } from "../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../lib/app/state.ts";

/** Returns the outcome of each row of a batch as a CSV file. */
export const handler = route({
  GET: serveOperation(
    readBatchResults,
    async ({ params, state: { services } }, { caller }) =>
      unwrap(await services.batchApi.results(caller, params.id)).csv,
  ),
});
