import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";
import { emptySchema } from "../../../../../lib/features/issuing/mod.ts";

export const properties = ISSUER_API;

/** Pauses a webhook. Its events are held. */
export const handler = route({
  POST: withKey(
    "webhooks:write",
    ({ req, params, state: { services: { issuerApi, webhooks } } }, caller) =>
      issuerApi.post(req, caller, emptySchema, () => webhooks.api.pause(caller, params.id)),
  ),
});
