import { resendDocument } from "../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../lib/app/serve_operation.ts";
import { route } from "../../../../lib/app/state.ts";

/** Mails the recipient of a document again. */
export const handler = route({
  POST: postWithKey(
    resendDocument,
    ({ params, state: { services: { issuerApi } } }, call) => issuerApi.resend(call, params.id),
  ),
});
