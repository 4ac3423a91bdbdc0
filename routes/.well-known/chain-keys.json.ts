import { listChainKeys } from "../../lib/features/api/mod.ts";
import { serveOperation } from "../../lib/app/serve_operation.ts";
import { route } from "../../lib/app/state.ts";

/** Returns every public key that has signed heads here, as a JWK Set (RFC 7517, section 5; standard, "Keys"). */
export const handler = route({
  GET: serveOperation(
    listChainKeys,
    async ({ state }) =>
      Response.json(await state.services.chains.keys(), {
        headers: {
          "content-type": listChainKeys.responses[200].type,
          "cache-control": "public, max-age=300",
        },
      }),
  ),
});
