import type { Middleware } from "fresh";
import type { State } from "../state.ts";
import type { SurfaceKind } from "../surfaces/mod.ts";

/** Where somebody can be signed in. */
const KINDS: readonly SurfaceKind[] = ["site", "console", "workbench"];

/**
 * Puts on `ctx.state.session` who sends a request. What is answered behind it may depend on that,
 * so no cache keeps it unless the answer says otherwise itself. Other surfaces don't ask the store.
 */
export function session(): Middleware<State> {
  return async (ctx) => {
    const { services, surface } = ctx.state;
    if (!KINDS.includes(surface.kind)) return await ctx.next();
    ctx.state.session = await services.auth.getSession(ctx.req);
    const response = await ctx.next();
    if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
    return response;
  };
}
