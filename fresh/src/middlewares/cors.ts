import type { Context } from "../context.ts";
import type { Middleware } from "../types.ts";
import { mutable } from "./mutable.ts";

export type CORSOptions<State = unknown> = {
  /** `*`, one origin, several, or a function that answers with the origin to allow. */
  origin:
    | string
    | string[]
    | ((origin: string, ctx: Context<State>) => string | undefined | null);
  allowMethods?: string[];
  /** Default: those that the preflight asks for. */
  allowHeaders?: string[];
  /** Seconds for which a preflight's answer may be kept. */
  maxAge?: number;
  credentials?: boolean;
  exposeHeaders?: string[];
};

/** Answers preflights and lets the pages of some origins read the answers. */
export function cors<State>(options?: CORSOptions<State>): Middleware<State> {
  const {
    origin: allowed = "*",
    allowMethods = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH"],
    allowHeaders = [],
    exposeHeaders = [],
    maxAge,
    credentials = false,
  } = options ?? {};
  const allow = (origin: string, ctx: Context<State>): string | null => {
    if (allowed === "*") return "*";
    if (typeof allowed === "function") return allowed(origin, ctx) || null;
    return (typeof allowed === "string" ? [allowed] : allowed).includes(origin) ? origin : null;
  };
  return async (ctx) => {
    const origin = allow(ctx.req.headers.get("origin") ?? "", ctx);
    const preflight = ctx.req.method === "OPTIONS";
    const response = preflight ? new Response(null, { status: 204 }) : mutable(await ctx.next());
    const { headers } = response;
    if (origin !== null) headers.set("access-control-allow-origin", origin);
    if (allowed !== "*") headers.append("vary", "Origin");
    if (credentials) headers.set("access-control-allow-credentials", "true");
    if (exposeHeaders.length > 0) {
      headers.set("access-control-expose-headers", exposeHeaders.join(","));
    }
    if (!preflight) return response;

    if (maxAge !== undefined) {
      headers.set("access-control-max-age", String(maxAge));
    }
    if (allowMethods.length > 0) {
      headers.set("access-control-allow-methods", allowMethods.join(","));
    }
    const asked = ctx.req.headers.get("access-control-request-headers");
    if (allowHeaders.length > 0) {
      headers.set("access-control-allow-headers", allowHeaders.join(","));
    } else if (asked !== null) {
      headers.set("access-control-allow-headers", asked);
      headers.append("vary", "Access-Control-Request-Headers");
    }
    return response;
  };
}
