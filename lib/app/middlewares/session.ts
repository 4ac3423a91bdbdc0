import type { Middleware } from "fresh";
import type { State } from "../state.ts";

/**
 * Sets `ctx.state.session` on surfaces where people sign in, and makes their responses `no-store`
 * unless they set `Cache-Control` themselves or are shared, because any of them may depend on the
 * session. On other surfaces nothing is read from the store.
 */
export const session: Middleware<State> = async (ctx) => {
  const { services, surface } = ctx.state;
  ctx.state.session = await services.auth.getSession(ctx.req, surface.name);
  const response = await ctx.next();
  const { shared } = ctx.state;
  if (!shared && !response.headers.has("cache-control")) {
    response.headers.set("cache-control", "no-store");
  }
  return response;
};
