import { checkNewDocument } from "../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Checks a document as for issuing it, and issues nothing. */
export const handler = route({
  POST: postWithKey(
    checkNewDocument,
    ({ state: { services: { issuerApi } } }, call) => issuerApi.check(call),
  ),
});
