import type { Middleware } from "fresh";
import type { Config } from "../config.ts";
import { APP_SCOPE, REMOVING_WORKER, WORKER_PATH } from "../../features/push/app/mod.ts";
import type { State } from "../state.ts";

/** The worker may call only its own site. It loads no scripts, and its pages have their own policy. */
const POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/**
 * Allows the service worker, a static file, to control the pages of the app, which are not below its
 * path. If the app is off, the file is replaced with one that removes the worker from browsers.
 */
export function serviceWorker({ recordApp }: Config): Middleware<State> {
  return async (ctx) => {
    if (ctx.state.pathname !== WORKER_PATH) return await ctx.next();
    ctx.state.policy = () => POLICY;
    const response = recordApp ? await ctx.next() : new Response(REMOVING_WORKER, {
      headers: { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" },
    });
    response.headers.set("service-worker-allowed", APP_SCOPE);
    return response;
  };
}
