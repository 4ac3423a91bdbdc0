import { unwrap } from "../../../lib/platform/http/errors.ts";
import { checkParams, issueSchema, listSchema } from "../../../lib/features/issuing/mod.ts";
import { ISSUER_API, route, withKey } from "../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Issues a document, and lists those that were issued. */
export const handler = route({
  GET: withKey("documents:read", async ({ url, state: { services } }, caller) => {
    const query = checkParams(listSchema, url);
    return Response.json(unwrap(await services.issuerApi.list(caller, query)).list);
  }),
  POST: withKey(
    "documents:write",
    ({ req, state: { services: { issuerApi } } }, caller) =>
      issuerApi.post(
        req,
        caller,
        issueSchema,
        (input, file) => issuerApi.issue(caller, input, file),
      ),
  ),
});
