import { issueDocument, listDocuments } from "../../../lib/features/api/mod.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { postWithKey, serveOperation } from "../../../lib/app/serve_operation.ts";
import { route } from "../../../lib/app/state.ts";

/** Issues a document, and lists those that were issued. */
export const handler = route({
  GET: serveOperation(listDocuments, async ({ state: { services } }, { caller, query }) => {
    return Response.json(unwrap(await services.issuerApi.list(caller, query)).list);
  }),
  POST: postWithKey(
    issueDocument,
    ({ state: { services: { issuerApi } } }, call) => issuerApi.issue(call),
  ),
});
