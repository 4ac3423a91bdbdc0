import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";
import { refOf, rotationSchema, webhookObject } from "../../../../../lib/features/webhooks/mod.ts";
import { checkInput, readInput } from "../../../../../lib/platform/http/body.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";

export const properties = ISSUER_API;

/** Replaces the secret of a webhook. */
export const handler = route({
  POST: withKey("webhooks:write", async ({ req, params, state: { services } }, caller) => {
    const { keep_previous } = checkInput(rotationSchema, await readInput(req));
    const ref = refOf(caller, params.id);
    const { endpoint, secret } = unwrap(await services.webhooks.rotate(ref, keep_previous));
    return Response.json({ ...webhookObject(endpoint, services.clock()), secret });
  }),
});
