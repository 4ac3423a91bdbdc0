import { endpoint } from "../lib/platform/http/endpoint.ts";
import { define, type State } from "../lib/app/state.ts";

/** The icon of the surface's organisation, for programs that read no pages. */
export const handler = define.handlers(endpoint<State>({
  GET: ({ state }) =>
    new Response(null, {
      status: 302,
      headers: {
        location: `/icons/${state.surface.organisation}.ico`,
        "cache-control": "public, max-age=86400",
      },
    }),
}));
