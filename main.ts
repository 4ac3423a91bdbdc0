/** The web application: its middleware in their order, and all its routes. */
import { type App, staticFiles } from "fresh";
import type { Precompressed } from "./lib/platform/http/precompressed.ts";
import { actor } from "./lib/app/middlewares/actor.ts";
import { bodies } from "./lib/app/middlewares/bodies.ts";
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
import { routeAccess } from "./lib/app/middlewares/route_access.ts";
import { serviceWorker } from "./lib/app/middlewares/service_worker.ts";
import { session } from "./lib/app/middlewares/session.ts";
import { sharedPages } from "./lib/app/middlewares/shared_pages.ts";
import { storeTime } from "./lib/app/middlewares/store_time.ts";
import { surface } from "./lib/app/middlewares/surface.ts";
import { telemetry } from "./lib/app/middlewares/telemetry.ts";
import {
  forPeople,
  mayKnowPeople,
  noRoute,
  notExact,
  notOnlyForPrograms,
  pipeline,
} from "./lib/app/pipeline.ts";
import { readRoutes } from "./lib/app/routes.ts";
import type { Services } from "./lib/app/services.ts";
import type { State } from "./lib/app/state.ts";

/** The properties that the files in `routes/` export. */
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
    .use(actor(services)) // the sender of the request, to whom its log lines and writes belong
    .use(telemetry(services)) // counts and measures requests
    .use(surface(services)) //  selects the relay or surface by the host; relays respond here
    .use(pipeline(routes, [
      // pages that are the same for everyone end here
      [sharedPages(), forPeople],
      // limits how long the request waits for the store
      [storeTime(services)],
      // limits the bodies that are kept in memory
      [bodies(services)],
      // security and discovery headers
      [headers(config, routes)],
      // a page's Content-Security-Policy
      [pagePolicy(config.env, routes), notOnlyForPrograms],
      // compresses pages and static files
      [compression(precompressed), notOnlyForPrograms],
      // turns thrown errors into responses
      [errors(routes)],
      // 400 for an invalid percent sequence in the path
      [app.rejectUndecodable(), notExact],
      // redirects to the path without a trailing slash
      [noTrailingSlash],
      // redirects /D/ to /d/
      [documentAddress, noRoute],
      // rejects unsafe requests from other sites
      [crossSite(services, routes), ({ route }) => route.crossSite !== "all"],
      // the scope and policy of the service worker
      [serviceWorker(config), noRoute],
      // redirects to the organisation's icon
      [favicon, noRoute],
      [staticFiles(), notExact],
      // 404 for paths that this surface does not serve
      [routeAccess],
      // 503 for changes while the store is read-only
      [readOnly(routes), ({ route }) => !route.onlyReads],
      // the person who is signed in
      [session, (place) => place.surface.signIn !== null && mayKnowPeople(place)],
      // the holder whose record is open
      [holder, (place) => place.surface.holders && mayKnowPeople(place)],
    ]))
    .fsRoutes();
}
