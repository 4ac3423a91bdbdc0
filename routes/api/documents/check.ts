import { checkNewDocument } from "../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../lib/app/serve_operation.ts";
import { route } from "../../../lib/app/state.ts";

/** Checks a document as for issuing it, and issues nothing. */
export const handler = route({
  POST: postWithKey(
    checkNewDocument,
    ({ state: { services: { issuerApi } } }, call) => issuerApi.check(call),
  ),
});
