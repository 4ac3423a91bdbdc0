import { clearedSessionCookie } from "../../../lib/features/auth/mod.ts";
import { endpoint } from "../../../lib/platform/http/endpoint.ts";
import type { RouteProperties } from "../../../lib/app/routes.ts";
import { define, type State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "both",
  notInOpenApi: "For our own sign-in pages.",
};

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
