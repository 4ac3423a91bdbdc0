import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";
import { replaySchema } from "../../../../../lib/features/webhooks/mod.ts";

export const properties = ISSUER_API;

/** Sends the deliveries of a webhook again that have failed since a time. */
export const handler = route({
  POST: withKey(
    "webhooks:write",
    ({ req, params, state: { services: { issuerApi, webhooks } } }, caller) =>
      issuerApi.post(
        req,
        caller,
        replaySchema,
        (input) => webhooks.api.replayFailed(caller, params.id, input),
      ),
  ),
});
