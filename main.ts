import { App, staticFiles } from "fresh";
import { parseConfig } from "./lib/config.ts";
import { crossSite } from "./lib/middlewares/cross_site.ts";
import { doors } from "./lib/middlewares/doors.ts";
import { errors } from "./lib/middlewares/errors.tsx";
import { headers, pagePolicy } from "./lib/middlewares/headers.ts";
import { surface } from "./lib/middlewares/surface.ts";
import { createServices, type Services } from "./lib/services.ts";
import type { State } from "./lib/state.ts";

/** The way of a request, from the outside in. */
export function createApp(services: Services): App<State> {
  const { env } = services.config;
  return new App<State>()
    .use(surface(services)) //  whose surface is this?
    .use(headers(env)) //       safety and discovery, on every answer
    .use(pagePolicy(env)) //    and a page's Content-Security-Policy
    .use(errors()) //           whatever is thrown further in becomes an answer
    .use(crossSite()) //        unsafe requests from other sites are refused
    .use(staticFiles())
    .use(doors()) //            what does not open on this surface is not there
    .fsRoutes();
}

export const app = createApp(createServices(parseConfig(Deno.env.toObject())));
