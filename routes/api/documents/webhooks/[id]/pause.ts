import { pauseWebhook } from "../../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../lib/app/state.ts";

/** Pauses a webhook. Its events are held. */
export const handler = route({
  POST: postWithKey(
    pauseWebhook,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.pause(call, params.id),
  ),
});
