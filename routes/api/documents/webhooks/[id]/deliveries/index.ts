import { listWebhookDeliveries } from "../../../../../../lib/features/api/mod.ts";
import { serveOperation } from "../../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../../lib/app/state.ts";
import { refOf } from "../../../../../../lib/features/webhooks/mod.ts";
import { unwrap } from "../../../../../../lib/platform/http/errors.ts";

/** The last deliveries of a webhook. */
export const handler = route({
  GET: serveOperation(
    listWebhookDeliveries,
    async ({ params, state: { services } }, { caller }) => {
      const { data } = unwrap(await services.webhooks.listDeliveries(refOf(caller, params.id)));
      return Response.json({ data });
    },
  ),
});
