import { ISSUER_API, postWithKey, route } from "../../../../../../../lib/app/state.ts";
import { emptySchema } from "../../../../../../../lib/features/issuing/mod.ts";

export const properties = ISSUER_API;

/** Sends one delivery again. */
export const handler = route({
  POST: postWithKey(
    "webhooks:write",
    emptySchema,
    ({ params, state: { services: { webhooks } } }, call) =>
      webhooks.api.replay(call, params.id, params.delivery),
  ),
});
