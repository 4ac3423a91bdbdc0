import { ISSUER_API, route, withKey } from "../../../../lib/app/state.ts";
import {
  newEndpointSchema,
  ownerOf,
  webhookObject,
} from "../../../../lib/features/webhooks/mod.ts";

export const properties = ISSUER_API;

/** The webhooks of an issuer in the mode of the key. */
export const handler = route({
  GET: withKey("webhooks:write", async ({ state: { services } }, caller) => {
    const rows = await services.webhooks.list(ownerOf(caller));
    return Response.json({ data: rows.map((row) => webhookObject(row, services.clock())) });
  }),
  POST: withKey(
    "webhooks:write",
    ({ req, state: { services: { issuerApi, webhooks } } }, caller) =>
      issuerApi.post(
        req,
        caller,
        newEndpointSchema,
        (input) => webhooks.api.create(caller, input),
      ),
  ),
});
