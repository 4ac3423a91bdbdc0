import { listWebhookDeliveries } from "../../../../../../lib/features/api/mod.ts";
import { ISSUER_API, route, withKey } from "../../../../../../lib/app/state.ts";
import { refOf } from "../../../../../../lib/features/webhooks/mod.ts";
import { unwrap } from "../../../../../../lib/platform/http/errors.ts";

export const properties = ISSUER_API;

/** The last deliveries of a webhook. */
export const handler = route({
  GET: withKey(listWebhookDeliveries, async ({ params, state: { services } }, caller) => {
    const { data } = unwrap(await services.webhooks.listDeliveries(refOf(caller, params.id)));
    return Response.json({ data });
  }),
});
