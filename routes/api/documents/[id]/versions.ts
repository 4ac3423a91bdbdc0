import { newVersionSchema } from "../../../../lib/features/issuing/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Adds a version, which replaces the current one. */
export const handler = route({
  POST: postWithKey(
    "documents:write",
    newVersionSchema,
    ({ params, state: { services: { issuerApi } } }, call) => issuerApi.addVersion(call, params.id),
  ),
});
