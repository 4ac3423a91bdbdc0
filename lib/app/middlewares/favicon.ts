import { endpoint } from "../../platform/http/endpoint.ts";
import type { State } from "../state.ts";

/**
 * Redirects to the icon of the surface's organisation, for programs that read no pages. It comes before
 * the static files, because upstream Fresh answers `/favicon.ico` there, with 404 if there is no such
 * file.
 */
export const favicon = endpoint<State>({
  GET: ({ state }) =>
    new Response(null, {
      status: 302,
      headers: {
        location: `/icons/${state.surface.organisation}.ico`,
        "cache-control": "public, max-age=86400",
      },
    }),
});
