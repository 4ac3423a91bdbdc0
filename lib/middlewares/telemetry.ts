import type { Middleware } from "fresh";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";
import { SECOND_MS } from "../time.ts";
import { relayFor } from "./relays.ts";

/** What a request was for: a surface and the pattern of a route, never a path. */
export interface RequestPlace {
  surface: string;
  route: string | null;
}

/** Handles a request, and afterwards asks what it was for. */
export type Track = (
  req: Request,
  handle: () => Promise<Response>,
  placeOf: () => RequestPlace,
) => Promise<Response>;

/**
 * Creates a function that measures how long requests take until their headers are sent. At the log
 * level `debug` it writes one line per request.
 */
export function requestTracker(services: Services): Track {
  const { config, log, metrics: { requests } } = services;
  const debug = config.telemetry.logLevel === "debug";
  return (req, handle, placeOf) => {
    const start = performance.now();
    const observe = (status: number) => {
      const ms = performance.now() - start;
      const { surface, route } = placeOf();
      requests.observe(surface, route, status, ms / SECOND_MS);
      if (!debug) return;
      const write = () =>
        log({ level: "debug", event: "request", method: req.method, surface, route, status, ms });
      services.requestScope.run(req, write);
    };
    return handle().then((response) => {
      observe(response.status);
      return response;
    }, (error) => {
      observe(500);
      throw error;
    });
  };
}

/** Tracks the requests that reach Fresh, and binds log lines to them. */
export function telemetry(services: Services): Middleware<State> {
  const track = requestTracker(services);
  return (ctx) =>
    track(ctx.req, () => services.requestScope.run(ctx.req, () => ctx.next()), () => {
      // Only `surface()` sets the surface, and relays come before it.
      const { surface } = ctx.state as Partial<State>;
      const name = surface?.name ?? (relayFor(services, ctx.req) ? "relay" : "none");
      return { surface: name, route: ctx.route };
    });
}
