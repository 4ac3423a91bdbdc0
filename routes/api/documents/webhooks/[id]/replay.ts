import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";
import { replaySchema } from "../../../../../lib/features/webhooks/mod.ts";

export const properties = ISSUER_API;

/** Sends the deliveries of a webhook again that have failed since a time. */
export const handler = route({
  POST: postWithKey(
    "webhooks:write",
    replaySchema,
    ({ params, state: { services: { webhooks } } }, call) =>
      webhooks.api.replayFailed(call, params.id),
  ),
});
