import { csrf, type Middleware } from "fresh";
import type { State } from "../state.ts";

/**
 * Refuses unsafe requests that a browser sends from another site. `/mcp` is called from other sites
 * by design and decides by `Origin` itself whom it answers.
 */
export function crossSite(): Middleware<State> {
  // Behind a proxy with TLS the request's own address has another scheme than the page: so the
  // surface's configured base counts too.
  const refuse = csrf<State>({
    origin: (origin, ctx) => origin === ctx.url.origin || origin === ctx.state.surface.baseUrl,
  });
  return (ctx) => ctx.url.pathname === "/mcp" ? ctx.next() : refuse(ctx);
}
