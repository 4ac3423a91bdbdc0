import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";
import { emptySchema } from "../../../../../lib/features/issuing/mod.ts";

export const properties = ISSUER_API;

/** Resumes a webhook, and sends the events that were held. */
export const handler = route({
  POST: postWithKey(
    "webhooks:write",
    emptySchema,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.resume(call, params.id),
  ),
});
