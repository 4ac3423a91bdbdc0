/** The middlewares for security headers and the Content-Security-Policy. */
import { type Context, csp, type Middleware } from "fresh";
import { KEYS_PATH } from "../../../packages/proof/mod.ts";
import type { Config } from "../config.ts";
import { linkHeader } from "../../features/mcp/mod.ts";
import type { Routes } from "../routes.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";
import type { Surface, SurfaceName } from "../../platform/surfaces/mod.ts";

const PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";
/** The policy of responses that are not pages: they load nothing and cannot be framed. */
const CLOSED = "default-src 'none'; frame-ancestors 'none'";

/** Adds the security headers, and the `Link` header for agents (spec 4.4). */
export function headers(config: Config, routes: Routes): Middleware<State> {
  const add = (ctx: Context<State>, response: Response) => {
    const { req, state: { surface, services, headers } } = ctx;
    for (const [name, value] of headers ?? []) response.headers.set(name, value);
    if (routes.of(ctx).minimalHeaders === req.method) {
      minimalHeaders(response, config);
      response.headers.delete("cache-control"); // responses to POST are not cached anyway
      return response;
    }
    if (isScript(ctx, response)) {
      minimalHeaders(response, config);
    } else if (routes.isForPrograms(ctx) || isData(response)) {
      programHeaders(response, config);
    } else {
      pageHeaders(response, config);
      // A token in the URL must not leak to other sites.
      if (ctx.url.searchParams.has("token")) response.headers.set("referrer-policy", "no-referrer");
    }
    advertise(response, surface, services);
    return response;
  };
  return (ctx) => ctx.next().then((response) => add(ctx, response));
}

/** Adds the `Link` header of a marketing site to a response. Other hosts have none. */
export function advertise(
  { headers }: Response,
  surface: Surface | undefined,
  { manifests }: Services,
): void {
  if (surface?.advertisesMcp) headers.append("link", linkHeader(manifests[surface.organisation]));
}

/** Adds the headers that every response has. */
function minimalHeaders({ headers }: Response, { hsts }: Config): void {
  headers.set("x-content-type-options", "nosniff");
  if (hsts !== undefined) headers.set("strict-transport-security", hsts);
}

/** Adds the headers of responses to programs. These are few, because every header costs time. */
export function programHeaders(response: Response, config: Config): void {
  minimalHeaders(response, config);
  response.headers.set("content-security-policy", CLOSED);
}

/** Adds the headers of pages and static files. Policies that the response already has are kept. */
function pageHeaders(response: Response, config: Config): void {
  minimalHeaders(response, config);
  const { headers } = response;
  headers.set("permissions-policy", PERMISSIONS);
  if (!headers.has("referrer-policy")) {
    headers.set("referrer-policy", "strict-origin-when-cross-origin");
  }
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", CLOSED);
}

const isData = ({ headers }: Response): boolean =>
  /^(application\/json|text\/event-stream)/.test(headers.get("content-type") ?? "");

/** A script of the build, which is neither a page nor a worker: the policies of the page that loads it hold. */
const isScript = ({ url }: Context<State>, { headers }: Response): boolean =>
  url.pathname.startsWith("/_fresh/js/") &&
  (headers.get("content-type")?.startsWith("text/javascript") ?? false);

/**
 * Sets the Content-Security-Policy of pages: Fresh's policy with a nonce per page, without unsafe
 * inline code, and in development without the upgrade to TLS.
 */
export function pagePolicy(env: Config["env"], routes: Routes): Middleware<State> {
  const policies = new Map<SurfaceName, Middleware<State>>();
  const policyOf = ({ state }: Context<State>): Middleware<State> => {
    const { name } = state.surface;
    const made = policies.get(name) ?? csp<State>({ useNonce: true, csp: directives(state) });
    policies.set(name, made);
    return made;
  };
  const tightened = async (ctx: Context<State>) => {
    const response = await policyOf(ctx)(ctx);
    if (isScript(ctx, response)) {
      response.headers.delete("content-security-policy");
      return response;
    }
    let policy = response.headers.get("content-security-policy") ?? CLOSED;
    if (!policy.includes("'nonce-")) policy = policy.replaceAll(" 'unsafe-inline'", "");
    if (env === "development") policy = policy.replace("; upgrade-insecure-requests", "");
    if (ctx.state.policy !== null) policy = ctx.state.policy(policy);
    response.headers.set("content-security-policy", policy);
    if (response.headers.get("content-type")?.startsWith("text/html")) {
      // A page contains the visitor's theme and a nonce, so shared caches must not keep it.
      response.headers.append("vary", "Cookie");
      if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-cache");
    }
    return response;
  };
  return (ctx) => routes.isForPrograms(ctx) ? ctx.next() : tightened(ctx);
}

/**
 * Returns the directives that allow a surface's pages to reach the API, the publisher's keys and the
 * bot challenge's host.
 */
function directives({ surface, services: { surfaces, config } }: State): string[] {
  const { challenge } = config.contact;
  const api = surface.callsApi ? surfaces.url("api") : null;
  const challengeOrigin = challenge !== undefined && surface.contactForm
    ? new URL(challenge.scriptUrl).origin
    : null;
  const self = (...more: (string | null)[]) =>
    ["'self'", ...more].filter((source) => source !== null).join(" ");
  // The chain verifier requests the publisher's keys from the trust surface.
  const keys = surface.serves("/verify") && !surface.serves(KEYS_PATH)
    ? surfaces.url("trust")
    : null;
  const lines = [`connect-src ${self(api, keys, challengeOrigin)}`, `form-action ${self(api)}`];
  if (challengeOrigin !== null) {
    // Fresh replaces the keyword with the nonce; `pagePolicy` removes it on pages without one.
    lines.push(
      `script-src 'self' 'unsafe-inline' ${challengeOrigin}`,
      `frame-src ${self(challengeOrigin)}`,
    );
  }
  return lines;
}
