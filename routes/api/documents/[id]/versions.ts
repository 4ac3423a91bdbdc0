import { newVersionSchema } from "../../../../lib/features/issuing/mod.ts";
import { ISSUER_API, route, withKey } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Adds a version, which replaces the current one. */
export const handler = route({
  POST: withKey(
    "documents:write",
    ({ req, params, state: { services: { issuerApi } } }, caller) =>
      issuerApi.post(
        req,
        caller,
        newVersionSchema,
        (input, file) => issuerApi.addVersion(caller, params.id, input, file),
      ),
  ),
});
