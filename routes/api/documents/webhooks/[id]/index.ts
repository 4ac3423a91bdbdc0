import { changeWebhook, readWebhook, removeWebhook } from "../../../../../lib/features/api/mod.ts";
import { postWithKey, serveOperation } from "../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../lib/app/state.ts";
import { refOf, webhookObject } from "../../../../../lib/features/webhooks/mod.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";

/** One webhook of an issuer. */
export const handler = route({
  GET: serveOperation(readWebhook, async ({ params, state: { services } }, { caller }) => {
    const { endpoint } = unwrap(await services.webhooks.read(refOf(caller, params.id)));
    return Response.json(webhookObject(endpoint, services.clock()));
  }),
  POST: postWithKey(
    changeWebhook,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.update(call, params.id),
  ),
  DELETE: serveOperation(removeWebhook, async ({ params, state: { services } }, { caller }) => {
    unwrap(await services.webhooks.remove(refOf(caller, params.id), null));
    return new Response(null, { status: 204 });
  }),
});
