import { endpoint } from "../../lib/http/endpoint.ts";
import { define, type State } from "../../lib/state.ts";

/**
 * The publisher's keys, as a JWK Set (RFC 7517, section 5): public ones, all that have signed here
 * (standard, "Keys"). Anybody may read them, from any origin.
 */
export const handler = define.handlers(endpoint<State>({
  GET: async ({ state }) =>
    new Response(JSON.stringify(await state.services.chains.keys()), {
      headers: {
        "content-type": "application/jwk-set+json",
        "cache-control": "public, max-age=300",
        "access-control-allow-origin": "*",
      },
    }),
}));
