import { cancelBatch } from "../../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../lib/app/state.ts";

/** Stops a batch, and erases its documents. */
export const handler = route({
  POST: postWithKey(
    cancelBatch,
    ({ params, state: { services: { batchApi } } }, call) => batchApi.cancel(call, params.id),
  ),
});
