import type { Middleware } from "fresh";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";
import { SECOND_MS } from "../time.ts";
import { relayFor } from "./relays.ts";

/**
 * Binds log lines to their request, and measures how long each request takes until its headers are
 * sent. At the log level `debug` it writes one line per request, without the path.
 */
export function telemetry(services: Services): Middleware<State> {
  const { config, log, metrics: { requests }, requestScope } = services;
  const debug = config.telemetry.logLevel === "debug";
  return (ctx) => {
    const start = performance.now();
    const observe = (status: number) => {
      const ms = performance.now() - start;
      // Only `surface()` sets the surface, and relays come before it.
      const { surface } = ctx.state as Partial<State>;
      const name = surface?.name ?? (relayFor(services, ctx.req) ? "relay" : "none");
      requests.observe(name, ctx.route, status, ms / SECOND_MS);
      if (!debug) return;
      const { req: { method }, route } = ctx;
      log({ level: "debug", event: "request", method, surface: name, route, status, ms });
    };
    return requestScope.run(ctx.req, () =>
      ctx.next().then((response) => {
        observe(response.status);
        return response;
      }, (error) => {
        observe(500);
        throw error;
      }));
  };
}
