import { createWebhook, listWebhooks } from "../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route, withKey } from "../../../../lib/app/state.ts";
import { ownerOf, webhookObject } from "../../../../lib/features/webhooks/mod.ts";

export const properties = ISSUER_API;

/** The webhooks of an issuer in the mode of the key. */
export const handler = route({
  GET: withKey(listWebhooks, async ({ state: { services } }, caller) => {
    const rows = await services.webhooks.list(ownerOf(caller));
    return Response.json({ data: rows.map((row) => webhookObject(row, services.clock())) });
  }),
  POST: postWithKey(
    createWebhook,
    ({ state: { services: { webhooks } } }, call) => webhooks.api.create(call),
  ),
});
