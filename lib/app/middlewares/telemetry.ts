import type { Middleware } from "fresh";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";
import { SECOND_MS } from "../../base/time.ts";
import { relayFor } from "./relays.ts";

/** The surface and the route's pattern that a request was for, but never its path. */
export interface RequestPlace {
  surface: string;
  route: string | null;
}

/** @param start when the request began, by `performance.now()` */
export type Observe = (req: Request, start: number, place: RequestPlace, status: number) => void;

/**
 * Creates a function that records how long a request took until its headers were sent. At the log
 * level `debug` it writes one line per request.
 */
export function requestObserver(services: Services): Observe {
  const { config, log, metrics: { requests } } = services;
  const debug = config.telemetry.logLevel === "debug";
  return (req, start, { surface, route }, status) => {
    const ms = performance.now() - start;
    requests.observe(surface, route, status, ms / SECOND_MS);
    if (!debug) return;
    const { method } = req;
    const write = () =>
      log({ level: "debug", event: "request", method, surface, route, status, ms });
    services.requestScope.run(req, write);
  };
}

/** Observes the requests that reach Fresh, and binds log lines to them. */
export function telemetry(services: Services): Middleware<State> {
  const observe = requestObserver(services);
  return async (ctx) => {
    const start = performance.now();
    let status = 500;
    try {
      const response = await services.requestScope.run(ctx.req, () => ctx.next());
      status = response.status;
      return response;
    } finally {
      // Only `surface()` sets the surface, and relays come before it.
      const { surface } = ctx.state as Partial<State>;
      const name = surface?.name ?? (relayFor(services, ctx.req) ? "relay" : "none");
      observe(ctx.req, start, { surface: name, route: ctx.route }, status);
    }
  };
}
