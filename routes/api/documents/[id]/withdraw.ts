import { withdrawDocument } from "../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Withdraws a document with a reason, which everybody sees. */
export const handler = route({
  POST: postWithKey(
    withdrawDocument,
    ({ params, state: { services: { issuerApi } } }, call) => issuerApi.withdraw(call, params.id),
  ),
});
