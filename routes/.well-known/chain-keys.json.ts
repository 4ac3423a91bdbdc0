import { PUBLIC, withCors } from "../../lib/platform/http/cors.ts";
import { route, type RouteProperties, type State } from "../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "programs" };

/**
 * Returns every public key that has signed heads here, as a JWK Set (RFC 7517, section 5), to any
 * origin (standard, "Keys").
 */
export const handler = withCors<State>(
  () => PUBLIC,
  route({
    GET: async ({ state }) =>
      Response.json(await state.services.chains.keys(), {
        headers: {
          "content-type": "application/jwk-set+json",
          "cache-control": "public, max-age=300",
        },
      }),
  }),
);
