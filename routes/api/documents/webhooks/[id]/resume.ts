import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";
import { refOf, webhookObject } from "../../../../../lib/features/webhooks/mod.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";

export const properties = ISSUER_API;

/** Resumes a webhook, and sends the events that were held. */
export const handler = route({
  POST: withKey("webhooks:write", async ({ params, state: { services } }, caller) => {
    const { endpoint } = unwrap(await services.webhooks.resume(refOf(caller, params.id), null));
    return Response.json(webhookObject(endpoint, services.clock()));
  }),
});
