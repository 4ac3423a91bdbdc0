import { emptySchema } from "../../../../lib/features/issuing/mod.ts";
import { ISSUER_API, route, withKey } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Mails the recipient of a document again. */
export const handler = route({
  POST: withKey(
    "documents:write",
    ({ req, params, state: { services: { issuerApi } } }, caller) =>
      issuerApi.post(req, caller, emptySchema, () => issuerApi.resend(caller, params.id)),
  ),
});
