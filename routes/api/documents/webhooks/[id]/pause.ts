import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";
import { refOf, webhookObject } from "../../../../../lib/features/webhooks/mod.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";

export const properties = ISSUER_API;

/** Pauses a webhook. Its events are held. */
export const handler = route({
  POST: withKey("webhooks:write", async ({ params, state: { services } }, caller) => {
    const { endpoint } = unwrap(await services.webhooks.pause(refOf(caller, params.id), null));
    return Response.json(webhookObject(endpoint, services.clock()));
  }),
});
