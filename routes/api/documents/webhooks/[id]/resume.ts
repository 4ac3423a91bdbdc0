import { resumeWebhook } from "../../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../lib/app/state.ts";

/** Resumes a webhook, and sends the events that were held. */
export const handler = route({
  POST: postWithKey(
    resumeWebhook,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.resume(call, params.id),
  ),
});
