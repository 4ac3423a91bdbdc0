import { csrf, type Middleware } from "fresh";
import type { State } from "../state.ts";

/** Called from other sites by design; they decide by `Origin` themselves whom they answer. */
const OPEN = ["/mcp", "/api/ir/register"];

/** Refuses unsafe requests that a browser sends from another site. */
export function crossSite(): Middleware<State> {
  // Behind a proxy with TLS the request's own address has another scheme than the page: so the
  // surface's configured base counts too.
  const refuse = csrf<State>({
    origin: (origin, ctx) => origin === ctx.url.origin || origin === ctx.state.surface.baseUrl,
  });
  return (ctx) => OPEN.includes(ctx.url.pathname) ? ctx.next() : refuse(ctx);
}
