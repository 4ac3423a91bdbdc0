import { type App, staticFiles } from "fresh";
import type { Precompressed } from "./lib/platform/http/precompressed.ts";
import { compression } from "./lib/app/middlewares/compression.ts";
import { crossSite } from "./lib/app/middlewares/cross_site.ts";
import { documentAddress } from "./lib/app/middlewares/document_address.ts";
import { errors } from "./lib/app/middlewares/error_responses.tsx";
import { favicon } from "./lib/app/middlewares/favicon.ts";
import { GuardedApp } from "./lib/app/middlewares/guarded_app.ts";
import { holder } from "./lib/app/middlewares/holder.ts";
import { headers, pagePolicy } from "./lib/app/middlewares/headers.ts";
import { noTrailingSlash } from "./lib/app/middlewares/no_trailing_slash.ts";
import { readOnly } from "./lib/app/middlewares/read_only.ts";
import { relays } from "./lib/app/middlewares/relays.ts";
import { routeAccess } from "./lib/app/middlewares/route_access.ts";
import { serviceWorker } from "./lib/app/middlewares/service_worker.ts";
import { session } from "./lib/app/middlewares/session.ts";
import { sharedPages } from "./lib/app/middlewares/shared_pages.ts";
import { surface } from "./lib/app/middlewares/surface.ts";
import { telemetry } from "./lib/app/middlewares/telemetry.ts";
import { inFlight } from "./lib/app/middlewares/in_flight.ts";
import { readRoutes } from "./lib/app/routes.ts";
import type { Services } from "./lib/app/services.ts";
import type { State } from "./lib/app/state.ts";

/** What the routes tell the pipeline about themselves. */
const routes = await readRoutes(import.meta.resolve("./routes/"));

/**
 * Creates the app with its request pipeline, from the outside in.
 *
 * @param precompressed the static files that the build compressed
 */
export function createApp(
  services: Services,
  precompressed: Precompressed = new Map(),
): App<State> {
  const { config } = services;
  const app = new GuardedApp(services); // keeps malformed requests from Fresh
  return app
    .use(telemetry(services)) // measures requests, and binds log lines to them
    .use(inFlight(services)) // shutdown waits for in-flight responses
    .use(relays(services)) //   requests for a relay's host end here
    .use(surface(services)) //  selects the surface by the host
    .use(sharedPages()) //      pages that are the same for everyone end here
    .use(headers(config, routes)) // security and discovery headers
    .use(pagePolicy(config.env, routes)) // a page's Content-Security-Policy
    .use(compression(precompressed)) // compresses pages and static files
    .use(errors(routes)) //     turns thrown errors into responses
    .use(app.rejectUndecodable()) // 400 for an invalid percent sequence in the path
    .use(noTrailingSlash()) // redirects to the path without one
    .use(documentAddress()) // redirects /D/ to /d/
    .use(crossSite(services, routes)) // rejects unsafe requests from other sites
    .use(serviceWorker(config)) // the scope and policy of the service worker
    .use(favicon()) //          redirects to the organisation's icon
    .use(staticFiles())
    .use(routeAccess()) //      404 for paths that this surface does not serve
    .use(readOnly(routes)) //   503 for changes while the store is read-only
    .use(session()) //          the person who is signed in
    .use(holder()) //           the holder whose record is open
    .fsRoutes();
}
