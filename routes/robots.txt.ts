import { route } from "../lib/app/state.ts";
import { robots } from "../lib/platform/surfaces/mod.ts";

export const handler = route({
  GET: ({ state }) =>
    new Response(robots(state.surface), {
      headers: { "content-type": "text/plain; charset=utf-8" },
    }),
});
