import { endpoint } from "../lib/http/endpoint.ts";
import { define, type State } from "../lib/state.ts";
import { sitemap } from "../lib/surfaces/sitemap.ts";

export const handler = define.handlers(endpoint<State>({
  GET: ({ state }) =>
    new Response(sitemap(state.surface, state.services), {
      headers: { "content-type": "application/xml" },
    }),
}));
