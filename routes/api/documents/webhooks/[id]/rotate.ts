import { rotateWebhookSecret } from "../../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Replaces the secret of a webhook. */
export const handler = route({
  POST: postWithKey(
    rotateWebhookSecret,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.rotate(call, params.id),
  ),
});
