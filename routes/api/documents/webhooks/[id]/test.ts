import { testWebhook } from "../../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../lib/app/state.ts";

/** Sends a test event to a webhook. */
export const handler = route({
  POST: postWithKey(
    testWebhook,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.sendTest(call, params.id),
  ),
});
