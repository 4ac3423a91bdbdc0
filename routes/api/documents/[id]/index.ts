import { readDocument } from "../../../../lib/features/api/mod.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { ISSUER_API, route, withKey } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Returns a document. */
export const handler = route({
  GET: withKey(
    readDocument,
    async ({ params, state: { services } }, caller) =>
      Response.json(unwrap(await services.issuerApi.read(caller, params.id)).document),
  ),
});
