import { createBatch, listBatches } from "../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route, withKey } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Issues documents in bulk, and lists the batches. */
export const handler = route({
  GET: withKey(
    listBatches,
    async ({ state: { services } }, caller) => Response.json(await services.batchApi.list(caller)),
  ),
  POST: postWithKey(
    createBatch,
    ({ req, state: { services } }, call) =>
      services.batchApi.create(call, req.headers.has("idempotency-key")),
  ),
});
