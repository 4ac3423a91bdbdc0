import { clearedSessionCookie } from "../../../lib/features/auth/mod.ts";
import { endpoint } from "../../../lib/platform/http/endpoint.ts";
import { define, type State } from "../../../lib/app/state.ts";

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
