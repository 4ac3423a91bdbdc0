import { clearedSessionCookie } from "../../../lib/features/auth/mod.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "both",
  notInOpenApi: "For our own sign-in pages.",
  noAuthority: "It only ends the sessions that its cookies name.",
};

/** Ends the session, in the store and in the browser (spec 4.3). */
export const handler = route({
  async POST({ req, state }) {
    await state.services.auth.logout(req);
    return new Response(null, {
      status: 302,
      headers: { location: "/", "set-cookie": clearedSessionCookie() },
    });
  },
});
