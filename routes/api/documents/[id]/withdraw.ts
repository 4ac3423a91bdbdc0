import { withdrawSchema } from "../../../../lib/features/issuing/mod.ts";
import { ISSUER_API, route, withKey } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Withdraws a document with a reason, which everybody sees. */
export const handler = route({
  POST: withKey(
    "documents:write",
    ({ req, params, state: { services: { issuerApi } } }, caller) =>
      issuerApi.post(
        req,
        caller,
        withdrawSchema,
        (input) => issuerApi.withdraw(caller, params.id, input),
      ),
  ),
});
