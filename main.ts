import { App, staticFiles } from "fresh";
import { crossSite } from "./lib/middlewares/cross_site.ts";
import { errors } from "./lib/middlewares/errors.tsx";
import { headers, pagePolicy } from "./lib/middlewares/headers.ts";
import { noTrailingSlash } from "./lib/middlewares/no_trailing_slash.ts";
import { relays } from "./lib/middlewares/relays.ts";
import { routeAccess } from "./lib/middlewares/route_access.ts";
import { session } from "./lib/middlewares/session.ts";
import { surface } from "./lib/middlewares/surface.ts";
import { underWay } from "./lib/middlewares/under_way.ts";
import type { Services } from "./lib/services.ts";
import type { State } from "./lib/state.ts";

/** The way of a request, from the outside in. */
export function createApp(services: Services): App<State> {
  const { env } = services.config;
  return new App<State>()
    .use(underWay(services)) // a stop waits for what is being sent
    .use(relays(services)) //   a relay's host? The relay answers, and nothing further in
    .use(surface(services)) //  whose surface is this?
    .use(headers(env)) //       safety and discovery, on every answer
    .use(pagePolicy(env)) //    and a page's Content-Security-Policy
    .use(errors()) //           whatever is thrown further in becomes an answer
    .use(noTrailingSlash()) //       a page has one address, without a slash at its end
    .use(crossSite()) //        unsafe requests from other sites are refused
    .use(staticFiles())
    .use(routeAccess()) //            what does not open on this surface is not there
    .use(session()) //          who sends the request?
    .fsRoutes();
}
