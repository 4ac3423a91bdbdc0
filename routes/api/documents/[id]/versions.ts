import { replaceDocument } from "../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Adds a version, which replaces the current one. */
export const handler = route({
  POST: postWithKey(
    replaceDocument,
    ({ params, state: { services: { issuerApi } } }, call) => issuerApi.addVersion(call, params.id),
  ),
});
