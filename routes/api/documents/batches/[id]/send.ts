import { emptySchema } from "../../../../../lib/features/issuing/mod.ts";
import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Sends the mails of a batch without waiting. */
export const handler = route({
  POST: withKey(
    "documents:write",
    ({ req, params, state: { services: { issuerApi, batchApi } } }, caller) =>
      issuerApi.post(req, caller, emptySchema, () => batchApi.send(caller, params.id)),
  ),
});
