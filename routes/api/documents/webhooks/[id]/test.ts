import { testWebhook } from "../../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Sends a test event to a webhook. */
export const handler = route({
  POST: postWithKey(
    testWebhook,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.sendTest(call, params.id),
  ),
});
