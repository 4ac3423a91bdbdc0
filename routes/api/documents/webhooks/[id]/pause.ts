import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";
import { emptySchema } from "../../../../../lib/features/issuing/mod.ts";

export const properties = ISSUER_API;

/** Pauses a webhook. Its events are held. */
export const handler = route({
  POST: postWithKey(
    "webhooks:write",
    emptySchema,
    ({ params, state: { services: { webhooks } } }, call) => webhooks.api.pause(call, params.id),
  ),
});
