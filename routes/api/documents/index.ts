import { issueDocument, listDocuments } from "../../../lib/features/api/mod.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { ISSUER_API, postWithKey, route, withKey } from "../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Issues a document, and lists those that were issued. */
export const handler = route({
  GET: withKey(listDocuments, async ({ state: { services } }, caller, query) => {
    return Response.json(unwrap(await services.issuerApi.list(caller, query)).list);
  }),
  POST: postWithKey(
    issueDocument,
    ({ state: { services: { issuerApi } } }, call) => issuerApi.issue(call),
  ),
});
