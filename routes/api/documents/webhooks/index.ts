import { ISSUER_API, route, withKey } from "../../../../lib/app/state.ts";
import {
  newEndpointSchema,
  ownerOf,
  webhookObject,
} from "../../../../lib/features/webhooks/mod.ts";
import { checkInput, readInput } from "../../../../lib/platform/http/body.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";

export const properties = ISSUER_API;

/** The webhooks of an issuer in the mode of the key. */
export const handler = route({
  GET: withKey("webhooks:write", async ({ state: { services } }, caller) => {
    const rows = await services.webhooks.list(ownerOf(caller));
    return Response.json({ data: rows.map((row) => webhookObject(row, services.clock())) });
  }),
  POST: withKey("webhooks:write", async ({ req, state: { services } }, caller) => {
    const input = checkInput(newEndpointSchema, await readInput(req));
    const { endpoint, secret } = unwrap(await services.webhooks.create(ownerOf(caller), input));
    return Response.json({ ...webhookObject(endpoint, services.clock()), secret }, { status: 201 });
  }),
});
