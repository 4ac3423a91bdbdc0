import { clearedSessionCookie } from "../../../lib/auth/mod.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { define, type State } from "../../../lib/state.ts";

/** Ends the session, in the store and in the browser (spec 4.3). */
export const handler = define.handlers(endpoint<State>({
  async POST({ req, state }) {
    await state.services.auth.logout(req);
    return new Response(null, {
      status: 302,
      headers: { location: "/", "set-cookie": clearedSessionCookie() },
    });
  },
}));
