import { checkBatch } from "../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../lib/app/serve_operation.ts";
import { route } from "../../../../lib/app/state.ts";

/** Checks a CSV file as for issuing documents in bulk, and issues nothing. */
export const handler = route({
  POST: postWithKey(checkBatch, ({ state: { services } }, call) => services.batchApi.check(call)),
});
