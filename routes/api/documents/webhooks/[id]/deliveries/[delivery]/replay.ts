import { ISSUER_API, postWithKey, route } from "../../../../../../../lib/app/state.ts";
import { emptySchema } from "../../../../../../../lib/features/issuing/mod.ts";

export const properties = ISSUER_API;

/** Sends one delivery again. */
export const handler = route({
  POST: postWithKey(
    "webhooks:write",
    emptySchema,
    ({ params, state: { services: { webhooks } } }, caller) => () =>
      webhooks.api.replay(caller, params.id, params.delivery),
  ),
});
