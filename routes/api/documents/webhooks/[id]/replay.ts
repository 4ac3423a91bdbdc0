import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";
import { refOf, replaySchema } from "../../../../../lib/features/webhooks/mod.ts";
import { checkInput, readInput } from "../../../../../lib/platform/http/body.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";

export const properties = ISSUER_API;

/** Sends the deliveries of a webhook again that have failed since a time. */
export const handler = route({
  POST: withKey("webhooks:write", async ({ req, params, state: { services } }, caller) => {
    const { since } = checkInput(replaySchema, await readInput(req));
    const ref = refOf(caller, params.id);
    const { count } = unwrap(await services.webhooks.replayFailed(ref, Date.parse(since)));
    return Response.json({ count }, { status: 202 });
  }),
});
