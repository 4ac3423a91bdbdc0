import { replaceDocument } from "../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../lib/app/serve_operation.ts";
import { route } from "../../../../lib/app/state.ts";

/** Adds a version, which replaces the current one. */
export const handler = route({
  POST: postWithKey(
    replaceDocument,
    ({ params, state: { services: { issuerApi } } }, call) => issuerApi.addVersion(call, params.id),
  ),
});
