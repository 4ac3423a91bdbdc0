import { readDocument } from "../../../../lib/features/api/mod.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { serveOperation } from "../../../../lib/app/serve_operation.ts";
import { route } from "../../../../lib/app/state.ts";

/** Returns a document. */
export const handler = route({
  GET: serveOperation(
    readDocument,
    async ({ params, state: { services } }, { caller }) =>
      Response.json(unwrap(await services.issuerApi.read(caller, params.id)).document),
  ),
});
