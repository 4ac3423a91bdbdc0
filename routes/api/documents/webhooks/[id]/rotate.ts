import { rotateWebhookSecret } from "../../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../lib/app/state.ts";

/** Replaces the secret of a webhook. */
export const handler = route({
  POST: postWithKey(
    rotateWebhookSecret,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.rotate(call, params.id),
  ),
});
