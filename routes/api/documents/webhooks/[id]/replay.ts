import { replayWebhook } from "../../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Sends the deliveries of a webhook again that have failed since a time. */
export const handler = route({
  POST: postWithKey(
    replayWebhook,
    ({ params, state: { services: { webhooks } } }, call) =>
      webhooks.api.replayFailed(call, params.id),
  ),
});
