import { replayWebhook } from "../../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../lib/app/state.ts";

/** Sends the deliveries of a webhook again that have failed since a time. */
export const handler = route({
  POST: postWithKey(
    replayWebhook,
    ({ params, state: { services: { webhooks } } }, call) =>
      webhooks.api.replayFailed(call, params.id),
  ),
});
