import { replayWebhookDelivery } from "../../../../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Sends one delivery again. */
export const handler = route({
  POST: postWithKey(
    replayWebhookDelivery,
    ({ params, state: { services: { webhooks } } }, call) =>
      webhooks.api.replay(call, params.id, params.delivery),
  ),
});
