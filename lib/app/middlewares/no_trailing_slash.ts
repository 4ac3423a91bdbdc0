import { type Middleware, trailingSlashes } from "fresh";
import type { State } from "../state.ts";

const redirect = trailingSlashes<State>("never");

/**
 * Redirects a path with a trailing slash to the one without. Only GET and HEAD are redirected: a
 * redirect would lose the body of any other request.
 */
export const noTrailingSlash: Middleware<State> = (ctx) => {
  const { method } = ctx.req;
  const reads = method === "GET" || method === "HEAD";
  return reads && ctx.state.pathname.endsWith("/") ? redirect(ctx) : ctx.next();
};
