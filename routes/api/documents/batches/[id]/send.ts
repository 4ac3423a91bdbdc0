import { sendBatch } from "../../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../lib/app/state.ts";

/** Sends the mails of a batch without waiting. */
export const handler = route({
  POST: postWithKey(
    sendBatch,
    ({ params, state: { services: { batchApi } } }, call) => batchApi.send(call, params.id),
  ),
});
