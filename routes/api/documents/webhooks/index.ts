import { createWebhook, listWebhooks } from "../../../../lib/features/api/mod.ts";
import { postWithKey, serveOperation } from "../../../../lib/app/serve_operation.ts";
import { route } from "../../../../lib/app/state.ts";
import { ownerOf, webhookObject } from "../../../../lib/features/webhooks/mod.ts";

/** The webhooks of an issuer in the mode of the key. */
export const handler = route({
  GET: serveOperation(listWebhooks, async ({ state: { services } }, { caller }) => {
    const rows = await services.webhooks.list(ownerOf(caller));
    return Response.json({ data: rows.map((row) => webhookObject(row, services.clock())) });
  }),
  POST: postWithKey(
    createWebhook,
    ({ state: { services: { webhooks } } }, call) => webhooks.api.create(call),
  ),
});
