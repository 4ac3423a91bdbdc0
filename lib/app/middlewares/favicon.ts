import type { Middleware } from "fresh";
import { endpoint } from "../../platform/http/endpoint.ts";
import type { State } from "../state.ts";

const redirect = endpoint<State>({
  GET: ({ state }) =>
    new Response(null, {
      status: 302,
      headers: {
        location: `/icons/${state.surface.organisation}.ico`,
        "cache-control": "public, max-age=86400",
      },
    }),
});

/**
 * Redirects `/favicon.ico` to the icon of the surface's organisation, for programs that read no pages. A
 * route could not do that, because Fresh's static files return 404 for this path.
 */
export const favicon: Middleware<State> = (ctx) =>
  ctx.state.pathname === "/favicon.ico" ? redirect(ctx) : ctx.next();
