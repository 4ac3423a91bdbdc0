import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";
import { rotationSchema } from "../../../../../lib/features/webhooks/mod.ts";

export const properties = ISSUER_API;

/** Replaces the secret of a webhook. */
export const handler = route({
  POST: withKey(
    "webhooks:write",
    ({ req, params, state: { services: { issuerApi, webhooks } } }, caller) =>
      issuerApi.post(
        req,
        caller,
        rotationSchema,
        (input) => webhooks.api.rotate(caller, params.id, input),
      ),
  ),
});
