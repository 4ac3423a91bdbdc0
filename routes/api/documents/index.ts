import { unwrap } from "../../../lib/platform/http/errors.ts";
import { checkParams, listSchema, newDocumentSchema } from "../../../lib/features/issuing/mod.ts";
import { ISSUER_API, postWithKey, route, withKey } from "../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Issues a document, and lists those that were issued. */
export const handler = route({
  GET: withKey("documents:read", async ({ url, state: { services } }, caller) => {
    const query = checkParams(listSchema, url);
    return Response.json(unwrap(await services.issuerApi.list(caller, query)).list);
  }),
  POST: postWithKey(
    "documents:write",
    newDocumentSchema,
    ({ state: { services: { issuerApi } } }, call) => issuerApi.issue(call),
  ),
});
