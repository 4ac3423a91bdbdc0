import { newDocumentSchema } from "../../../lib/features/issuing/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Checks a document as for issuing it, and issues nothing. */
export const handler = route({
  POST: postWithKey(
    "documents:write",
    newDocumentSchema,
    ({ state: { services: { issuerApi } } }, call) => issuerApi.check(call),
  ),
});
