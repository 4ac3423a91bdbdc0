import { App, csp, csrf, staticFiles } from "fresh";
import { parseConfig } from "./lib/config.ts";
import { doors } from "./lib/middlewares/doors.ts";
import { errors } from "./lib/middlewares/errors.tsx";
import { headers } from "./lib/middlewares/headers.ts";
import { surface } from "./lib/middlewares/surface.ts";
import { createServices, type Services } from "./lib/services.ts";
import type { State } from "./lib/state.ts";

/** The way of a request, from the outside in. */
export function createApp(services: Services): App<State> {
  const refuseCrossSite = csrf<State>();
  return new App<State>()
    .use(surface(services)) //             whose surface is this?
    .use(headers(services.config.env)) //  safety and discovery, on every answer
    .use(csp({ useNonce: true }))
    .use(errors()) //                      whatever is thrown further in becomes an answer
    .use((ctx) => checksOriginItself(ctx.req) ? ctx.next() : refuseCrossSite(ctx))
    .use(staticFiles())
    .use(doors()) //                       what does not open on this surface is not there
    .fsRoutes();
}

/** `/mcp` is called from other sites by design and decides by `Origin` whom it answers. */
function checksOriginItself(req: Request): boolean {
  return new URL(req.url).pathname === "/mcp";
}

export const app = createApp(createServices(parseConfig(Deno.env.toObject())));
