import { createBatch, listBatches } from "../../../../lib/features/api/mod.ts";
import { postWithKey, serveOperation } from "../../../../lib/app/serve_operation.ts";
import { route } from "../../../../lib/app/state.ts";

/** Issues documents in bulk, and lists the batches. */
export const handler = route({
  GET: serveOperation(
    listBatches,
    async ({ state: { services } }, { caller }) =>
      Response.json(await services.batchApi.list(caller)),
  ),
  POST: postWithKey(
    createBatch,
    ({ req, state: { services } }, call) =>
      services.batchApi.create(call, req.headers.has("idempotency-key")),
  ),
});
