import type { Middleware } from "fresh";
import { linkHeader } from "../discovery/mod.ts";
import type { Config } from "../config.ts";
import type { State } from "../state.ts";

const PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/** Puts on every answer what keeps browsers careful (design, section 8). */
export function headers(env: Config["env"]): Middleware<State> {
  return async (ctx) => {
    const response = await ctx.next();
    securityHeaders(response, env);
    const { surface, services } = ctx.state;
    if (surface.kind === "marketing") {
      response.headers.append("link", linkHeader(services.manifests[surface.organisation]));
    }
    return response;
  };
}

/** The headers that any answer takes. */
export function securityHeaders(response: Response, env: Config["env"]): void {
  const { headers } = response;
  headers.set("x-content-type-options", "nosniff");
  headers.set("permissions-policy", PERMISSIONS);
  if (!headers.has("referrer-policy")) {
    headers.set("referrer-policy", "strict-origin-when-cross-origin");
  }
  if (env === "production") {
    headers.set("strict-transport-security", "max-age=63072000; includeSubDomains");
  }
  const policy = headers.get("content-security-policy");
  headers.set("content-security-policy", policy === null ? CLOSED : tightened(policy, env));
}

const CLOSED = "default-src 'none'; frame-ancestors 'none'";

/**
 * Fresh's policy without what we do not need of it: inline code without a nonce, and in
 * development, which has no TLS, the upgrade to it.
 */
function tightened(policy: string, env: Config["env"]): string {
  if (!policy.includes("'nonce-")) policy = policy.replaceAll(" 'unsafe-inline'", "");
  return env === "production" ? policy : policy.replace("; upgrade-insecure-requests", "");
}
