/** The middlewares that come with the framework: `csp`, `csrf` and `trailingSlashes`. */
import { type Context, internalsOf } from "./context.ts";
import type { Middleware } from "./define.ts";
import { HttpError } from "./error.ts";

export interface CSPOptions {
  /** Directives that are added, or that replace the default of the same name. */
  csp?: string[];
  /** Replaces `'unsafe-inline'` by the nonce of the page's inline scripts and styles. */
  useNonce: true;
}

const DEFAULT_DIRECTIVES = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "upgrade-insecure-requests",
];

/** Sets a Content-Security-Policy on every response. */
export function csp<State>({ csp = [] }: CSPOptions): Middleware<State> {
  const nameOf = (directive: string) => directive.split(" ", 1)[0];
  const own = new Set(csp.map(nameOf));
  const policy = [...DEFAULT_DIRECTIVES.filter((line) => !own.has(nameOf(line))), ...csp]
    .join("; ");
  // A response without a nonce contains no inline scripts or styles of ours.
  const withoutNonce = policy.replaceAll(" 'unsafe-inline'", "");
  return async (ctx) => {
    const response = mutable(await ctx.next());
    const { nonce } = internalsOf(ctx);
    response.headers.set(
      "content-security-policy",
      nonce === "" ? withoutNonce : policy.replaceAll("'unsafe-inline'", `'nonce-${nonce}'`),
    );
    return response;
  };
}

/** Returns the response, or a copy of it when its headers are immutable (`fetch`, redirects). */
function mutable(response: Response): Response {
  try {
    response.headers.delete("x-mutable");
    return response;
  } catch {
    return new Response(response.body, response);
  }
}

export interface CsrfOptions<State = unknown> {
  /** Returns whether an origin may send unsafe requests. Default: only the request's own. */
  origin?: (origin: string, context: Context<State>) => boolean;
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Rejects unsafe requests that a browser sends from another site, judging by `Sec-Fetch-Site` and
 * `Origin`. A request with neither header does not come from a browser, and passes.
 *
 * @throws {HttpError} 403
 */
export function csrf<State>(options: CsrfOptions<State> = {}): Middleware<State> {
  const isAllowed = options.origin ?? ((origin, ctx) => origin === ctx.url.origin);
  return (ctx) => {
    if (SAFE_METHODS.has(ctx.req.method)) return ctx.next();
    const site = ctx.req.headers.get("sec-fetch-site");
    const origin = ctx.req.headers.get("origin");
    const own = site === null ? origin === null : site === "same-origin" || site === "none";
    if (own || (origin !== null && isAllowed(origin, ctx))) return ctx.next();
    throw new HttpError(403);
  };
}

/** Redirects URLs with a trailing slash to those without, which is the only one of Fresh's modes that there is here. */
export function trailingSlashes<State>(_mode: "never"): Middleware<State> {
  return (ctx) => {
    const { pathname, search } = ctx.url;
    if (pathname === "/" || !pathname.endsWith("/")) return ctx.next();
    return ctx.redirect(pathname.slice(0, -1) + search);
  };
}
