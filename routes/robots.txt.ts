import { endpoint } from "../lib/http/endpoint.ts";
import { define, type State } from "../lib/state.ts";
import { robots } from "../lib/surfaces/mod.ts";

export const handler = define.handlers(endpoint<State>({
  GET: ({ state }) =>
    new Response(robots(state.surface), {
      headers: { "content-type": "text/plain; charset=utf-8" },
    }),
}));
