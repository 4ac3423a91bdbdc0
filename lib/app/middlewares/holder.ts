import type { Middleware } from "fresh";
import type { State } from "../state.ts";

/**
 * Sets `ctx.state.holder` on surfaces where holders open their records, and makes the responses to
 * a signed-in holder `no-store` unless they set `Cache-Control` themselves.
 */
export const holder: Middleware<State> = async (ctx) => {
  const { services, surface } = ctx.state;
  ctx.state.readHolder = async () => {
    ctx.state.holder = await services.records.session(ctx.req, surface.name);
  };
  ctx.state.actor.knows(ctx.state.readHolder);
  await ctx.state.readHolder();
  const response = await ctx.next();
  if (ctx.state.holder !== null && !response.headers.has("cache-control")) {
    response.headers.set("cache-control", "no-store");
  }
  return response;
};
