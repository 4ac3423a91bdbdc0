import { ISSUER_API, route, withKey } from "../../../../../../../lib/app/state.ts";
import { refOf } from "../../../../../../../lib/features/webhooks/mod.ts";
import { unwrap } from "../../../../../../../lib/platform/http/errors.ts";

export const properties = ISSUER_API;

/** Sends one delivery again. */
export const handler = route({
  POST: withKey("webhooks:write", async ({ params, state: { services } }, caller) => {
    const ref = refOf(caller, params.id);
    unwrap(await services.webhooks.replay(ref, params.delivery));
    return Response.json({ delivery: params.delivery }, { status: 202 });
  }),
});
