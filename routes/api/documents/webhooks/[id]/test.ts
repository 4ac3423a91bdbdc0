import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";
import { emptySchema } from "../../../../../lib/features/issuing/mod.ts";

export const properties = ISSUER_API;

/** Sends a test event to a webhook. */
export const handler = route({
  POST: postWithKey(
    "webhooks:write",
    emptySchema,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.sendTest(call, params.id),
  ),
});
