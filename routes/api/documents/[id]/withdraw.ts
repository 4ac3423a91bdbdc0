import { withdrawDocument } from "../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../lib/app/serve_operation.ts";
import { route } from "../../../../lib/app/state.ts";

/** Withdraws a document with a reason, which everybody sees. */
export const handler = route({
  POST: postWithKey(
    withdrawDocument,
    ({ params, state: { services: { issuerApi } } }, call) => issuerApi.withdraw(call, params.id),
  ),
});
