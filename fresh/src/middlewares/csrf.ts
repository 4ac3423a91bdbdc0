import type { Context } from "../context.ts";
import { HttpError } from "../error.ts";
import type { Middleware } from "../types.ts";

export interface CsrfOptions<State = unknown> {
  /** Which origins may send unsafe requests. Default: the request's own. */
  origin?:
    | string
    | string[]
    | ((origin: string, context: Context<State>) => boolean);
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses unsafe requests that a browser sends from another site, by `Sec-Fetch-Site` and
 * `Origin`. A request with neither comes from no browser and passes.
 *
 * @throws {HttpError} 403
 */
export function csrf<State>(options?: CsrfOptions<State>): Middleware<State> {
  const allowed = options?.origin;
  const mayPass = (origin: string | null, ctx: Context<State>): boolean => {
    if (origin === null) return false;
    if (allowed === undefined) return origin === ctx.url.origin;
    if (typeof allowed === "function") return allowed(origin, ctx);
    return typeof allowed === "string" ? allowed === origin : allowed.includes(origin);
  };
  return (ctx) => {
    if (SAFE.has(ctx.req.method)) return ctx.next();
    const site = ctx.req.headers.get("sec-fetch-site");
    const origin = ctx.req.headers.get("origin");
    const own = site === null ? origin === null : site === "same-origin" || site === "none";
    if (own || mayPass(origin, ctx)) return ctx.next();
    throw new HttpError(403, "Cross-site request refused");
  };
}
