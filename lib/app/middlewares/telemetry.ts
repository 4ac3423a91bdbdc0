/** The middleware that measures requests for the metrics, the log and the shutdown. */
import type { Context, Middleware } from "fresh";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";
import { SECOND_MS } from "../../base/time.ts";
import { hostnameOf } from "../../platform/http/request_url.ts";

const PROXY_NOT_TRUSTED =
  "A request had X-Forwarded-For, but TRUST_PROXY is 0: all clients behind " +
  "that proxy share one limit. Set TRUST_PROXY to the number of proxies.";

/**
 * Counts requests until their responses have been sent, so that a shutdown can wait for them, and
 * records how long they took until their headers were sent. At the log level `debug` it writes one
 * line per request. The first request from a proxy that is not trusted writes a warning.
 */
export function telemetry(services: Services): Middleware<State> {
  const { config, inFlight, log, metrics: { requests }, relayOf } = services;
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
    log(line);
  }

  let warnOfProxy = config.trustProxy === 0;
  return (ctx) => {
    if (warnOfProxy && ctx.req.headers.has("x-forwarded-for")) {
      warnOfProxy = false;
      log({ level: "warn", event: "proxy_not_trusted", reason: PROXY_NOT_TRUSTED });
    }
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
