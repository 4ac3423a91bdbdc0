import { ISSUER_API, route, withKey } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Issues documents in bulk, and lists the batches. */
export const handler = route({
  GET: withKey(
    "documents:read",
    async ({ state: { services } }, caller) => Response.json(await services.batchApi.list(caller)),
  ),
  POST: withKey(
    "documents:write",
    ({ req, state: { services } }, caller) => services.batchApi.create(req, caller),
  ),
});
