import { pauseWebhook } from "../../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Pauses a webhook. Its events are held. */
export const handler = route({
  POST: postWithKey(
    pauseWebhook,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.pause(call, params.id),
  ),
});
