import { sendBatch } from "../../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Sends the mails of a batch without waiting. */
export const handler = route({
  POST: postWithKey(
    sendBatch,
    ({ params, state: { services: { batchApi } } }, call) => batchApi.send(call, params.id),
  ),
});
