import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";
import { emptySchema } from "../../../../../lib/features/issuing/mod.ts";

export const properties = ISSUER_API;

/** Sends a test event to a webhook. */
export const handler = route({
  POST: withKey(
    "webhooks:write",
    ({ req, params, state: { services: { issuerApi, webhooks } } }, caller) =>
      issuerApi.post(req, caller, emptySchema, () => webhooks.api.sendTest(caller, params.id)),
  ),
});
