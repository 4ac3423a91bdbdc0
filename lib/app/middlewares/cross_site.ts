import { csrf, HttpError, type Middleware } from "fresh";
import { RequestError } from "../../platform/http/errors.ts";
import type { Routes } from "../routes.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/** Rejects unsafe requests that a browser sends from another site, except to routes for them. */
export function crossSite({ config, surfaces }: Services, routes: Routes): Middleware<State> {
  // Behind a TLS proxy, the request's own origin is the one of a page without TLS, which anyone on the
  // network can change. In development, it may have any port.
  const development = config.env === "development";
  const check = csrf<State>({
    origin: (origin, { url, state }) =>
      surfaces.byOrigin(origin) === state.surface || development && origin === url.origin,
  });
  return async (ctx) => {
    const { crossSite } = routes.of(ctx);
    if (crossSite === "all" || crossSite === ctx.req.method) return await ctx.next();
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
