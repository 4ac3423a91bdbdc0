import type { Middleware } from "fresh";
import type { State } from "../state.ts";

/**
 * Sets the session and the layer of `ctx.state` on surfaces where people sign in, and makes their
 * responses `no-store` unless they set `Cache-Control` themselves or are shared, because any of them
 * may depend on the session. On other surfaces nothing is read from the store.
 */
export const session: Middleware<State> = async (ctx) => {
  Object.assign(ctx.state, await readSession(ctx.req, ctx.state));
  const response = await ctx.next();
  const { shared } = ctx.state;
  if (!shared && !response.headers.has("cache-control")) {
    response.headers.set("cache-control", "no-store");
  }
  return response;
};

/** Returns who sent a request, and on a console the person's layer. */
export async function readSession(
  req: Request,
  { services, surface }: Pick<State, "services" | "surface">,
): Promise<Pick<State, "session" | "layer">> {
  const session = await services.auth.getSession(req, surface.name);
  const isConsole = surface.signIn?.operatorsOnly || surface.servesAll;
  const layer = session !== null && isConsole
    ? await services.operators.layerOfSession(session, surface.organisation)
    : null;
  return { session, layer };
}
