import { resendDocument } from "../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Mails the recipient of a document again. */
export const handler = route({
  POST: postWithKey(
    resendDocument,
    ({ params, state: { services: { issuerApi } } }, call) => issuerApi.resend(call, params.id),
  ),
});
