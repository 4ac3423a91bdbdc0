import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";
import { refOf } from "../../../../../lib/features/webhooks/mod.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";

export const properties = ISSUER_API;

/** Sends a test event to a webhook. */
export const handler = route({
  POST: withKey("webhooks:write", async ({ params, state: { services } }, caller) => {
    const { id } = unwrap(await services.webhooks.sendTest(refOf(caller, params.id)));
    return Response.json({ delivery: id }, { status: 202 });
  }),
});
