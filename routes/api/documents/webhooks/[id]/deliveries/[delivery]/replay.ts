import { replayWebhookDelivery } from "../../../../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../../../lib/app/state.ts";

/** Sends one delivery again. */
export const handler = route({
  POST: postWithKey(
    replayWebhookDelivery,
    ({ params, state: { services: { webhooks } } }, call) =>
      webhooks.api.replay(call, params.id, params.delivery),
  ),
});
