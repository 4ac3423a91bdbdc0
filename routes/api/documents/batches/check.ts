import { checkBatch } from "../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Checks a CSV file as for issuing documents in bulk, and issues nothing. */
export const handler = route({
  POST: postWithKey(checkBatch, ({ state: { services } }, call) => services.batchApi.check(call)),
});
