import type { Context, Middleware } from "fresh";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";
import { SECOND_MS } from "../../base/time.ts";
import { hostnameOf } from "../../platform/http/request_url.ts";

/**
 * Counts requests until their responses have been sent, so that a shutdown can wait for them, and
 * records how long they took until their headers were sent. At the log level `debug` it writes one
 * line per request.
 */
export function telemetry(services: Services): Middleware<State> {
  const { config, inFlight, log, metrics: { requests }, relayOf, requestScope } = services;
  const debug = config.telemetry.logLevel === "debug";

  function observe(ctx: Context<State>, start: number, status: number) {
    const ms = performance.now() - start;
    const { req: { method }, route } = ctx;
    // Only requests for a surface have this.
    const { surface } = ctx.state as Partial<State>;
    const name = surface?.name ?? (relayOf(hostnameOf(ctx.req)) === undefined ? "none" : "relay");
    requests.observe(name, route, status, ms / SECOND_MS);
    if (!debug) return;
    const line = { level: "debug", event: "request", method, surface: name, route, status, ms };
    requestScope.run(ctx.req, () => log(line));
  }

  return (ctx) => {
    const start = performance.now();
    inFlight.add(ctx.info.completed);
    return ctx.next().then((response) => {
      observe(ctx, start, response.status);
      return response;
    }, (error) => {
      observe(ctx, start, 500);
      throw error;
    });
  };
}
