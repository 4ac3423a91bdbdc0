import { csrf, HttpError, type Middleware } from "fresh";
import { RequestError } from "../../platform/http/errors.ts";
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
  return async (ctx) => {
    if (isOpen(ctx.req.method, ctx.url.pathname)) return await ctx.next();
    try {
      return await check(ctx);
    } catch (error) {
      throw isRefusal(error) ? new RequestError(403, REFUSAL) : error;
    }
  };
}

const REFUSAL = "This request came from another site, so it was refused.";

/** Returns whether an error is Fresh's own, which has no message. The site's are {@linkcode RequestError}s. */
const isRefusal = (error: unknown): boolean =>
  error instanceof HttpError && error.status === 403 && !(error instanceof RequestError);

const isOpen = (method: string, pathname: string): boolean =>
  OPEN.includes(pathname) || method === "POST" && pathname === PAYMENT_WEBHOOK;
