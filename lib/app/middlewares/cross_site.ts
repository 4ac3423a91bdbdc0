import { csrf, type Middleware } from "fresh";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/** On a console, only POST to exactly this path is exempt. */
const PAYMENT_WEBHOOK = "/api/payments/webhook";

/**
 * Endpoints that other sites, services or clients call by design. They check `Origin`, a signature or
 * a token themselves, or are open to everyone.
 */
const OPEN = [
  "/mcp",
  "/register",
  "/token",
  "/revoke",
  "/api/ir/register",
  "/api/codes/status",
  "/api/codes/voice",
];

/** Rejects unsafe requests that a browser sends from another site. */
export function crossSite({ config, surfaces }: Services): Middleware<State> {
  // Behind a TLS proxy, the request's own origin is the one of a page without TLS, which anyone on the
  // network can change. In development, it may have any port.
  const development = config.env === "development";
  const check = csrf<State>({
    origin: (origin, { url, state }) =>
      surfaces.byOrigin(origin) === state.surface || development && origin === url.origin,
  });
  return (ctx) => isOpen(ctx.req.method, ctx.url.pathname) ? ctx.next() : check(ctx);
}

const isOpen = (method: string, pathname: string): boolean =>
  OPEN.includes(pathname) || method === "POST" && pathname === PAYMENT_WEBHOOK;
