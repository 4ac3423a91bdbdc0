import { endpoint } from "../lib/platform/http/endpoint.ts";
import { define, type State } from "../lib/app/state.ts";
import { robots } from "../lib/platform/surfaces/mod.ts";

export const handler = define.handlers(endpoint<State>({
  GET: ({ state }) =>
    new Response(robots(state.surface), {
      headers: { "content-type": "text/plain; charset=utf-8" },
    }),
}));
