import { resumeWebhook } from "../../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Resumes a webhook, and sends the events that were held. */
export const handler = route({
  POST: postWithKey(
    resumeWebhook,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.resume(call, params.id),
  ),
});
