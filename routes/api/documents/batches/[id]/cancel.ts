import { cancelBatch } from "../../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Stops a batch, and erases its documents. */
export const handler = route({
  POST: postWithKey(
    cancelBatch,
    ({ params, state: { services: { batchApi } } }, call) => batchApi.cancel(call, params.id),
  ),
});
