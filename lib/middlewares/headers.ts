import { type Context, csp, type Middleware } from "fresh";
import type { Config } from "../config.ts";
import { linkHeader } from "../discovery/mod.ts";
import { isForPrograms } from "../http/audience.ts";
import type { State } from "../state.ts";
import type { SurfaceName } from "../surfaces/mod.ts";

const PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";
/** For what is no page: nothing may be loaded by it, or frame it. */
const CLOSED = "default-src 'none'; frame-ancestors 'none'";

/** Puts on every answer what keeps browsers careful, and leads agents on (design, section 8). */
export function headers(env: Config["env"]): Middleware<State> {
  return async (ctx) => {
    const response = await ctx.next();
    // A token in the address is nobody else's to see, whatever the answer to it is.
    if (ctx.url.searchParams.has("token")) response.headers.set("referrer-policy", "no-referrer");
    securityHeaders(response, env);
    const { surface, services } = ctx.state;
    if (surface.advertisesMcp) {
      response.headers.append("link", linkHeader(services.manifests[surface.organisation]));
    }
    return response;
  };
}

/** The headers that any answer takes; what it has already stays. */
export function securityHeaders({ headers }: Response, env: Config["env"]): void {
  headers.set("x-content-type-options", "nosniff");
  headers.set("permissions-policy", PERMISSIONS);
  if (!headers.has("referrer-policy")) {
    headers.set("referrer-policy", "strict-origin-when-cross-origin");
  }
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", CLOSED);
  if (env === "production") {
    headers.set("strict-transport-security", "max-age=63072000; includeSubDomains");
  }
}

/**
 * The policy of pages: Fresh's, with a nonce for each page, less what we do not need of it: inline
 * code without a nonce, and in development, which has no TLS, the upgrade to it.
 */
export function pagePolicy(env: Config["env"]): Middleware<State> {
  const policies = new Map<SurfaceName, Middleware<State>>();
  const policyOf = ({ state }: Context<State>): Middleware<State> => {
    const { name } = state.surface;
    const made = policies.get(name) ?? csp<State>({ useNonce: true, csp: directives(state) });
    policies.set(name, made);
    return made;
  };
  const tightened = async (ctx: Context<State>) => {
    const response = await policyOf(ctx)(ctx);
    let policy = response.headers.get("content-security-policy") ?? CLOSED;
    if (!policy.includes("'nonce-")) policy = policy.replaceAll(" 'unsafe-inline'", "");
    if (env === "development") policy = policy.replace("; upgrade-insecure-requests", "");
    response.headers.set("content-security-policy", policy);
    if (response.headers.get("content-type")?.startsWith("text/html")) {
      // A page holds its visitor's colours and a nonce: nothing for a cache that others share.
      response.headers.append("vary", "Cookie");
      if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-cache");
    }
    return response;
  };
  return (ctx) => isForPrograms(ctx.req, ctx.url.pathname) ? ctx.next() : tightened(ctx);
}

/** What a surface's pages may reach beside themselves: the API, and the bot challenge's host. */
function directives({ surface, services: { surfaces, config } }: State): string[] {
  const { challenge } = config.contact;
  const api = surface.callsApi ? surfaces.url("api") : null;
  const guard = challenge !== undefined && surface.contactForm
    ? new URL(challenge.scriptUrl).origin
    : null;
  const self = (...more: (string | null)[]) =>
    ["'self'", ...more].filter((source) => source !== null).join(" ");
  const lines = [`connect-src ${self(api, guard)}`, `form-action ${self(api)}`];
  if (guard !== null) {
    // The middleware puts the nonce in the place of the keyword, or takes it away.
    lines.push(`script-src 'self' 'unsafe-inline' ${guard}`, `frame-src ${self(guard)}`);
  }
  return lines;
}
