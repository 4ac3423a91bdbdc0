import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";
import { rotationSchema } from "../../../../../lib/features/webhooks/mod.ts";

export const properties = ISSUER_API;

/** Replaces the secret of a webhook. */
export const handler = route({
  POST: postWithKey(
    "webhooks:write",
    rotationSchema,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.rotate(call, params.id),
  ),
});
