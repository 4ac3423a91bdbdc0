import { HttpError, type Middleware } from "fresh";
import type { State } from "../state.ts";

/** Returns 404 for a path that the surface does not serve. */
export const routeAccess: Middleware<State> = (ctx) => {
  const { surface, pathname } = ctx.state;
  if (!surface.serves(pathname)) throw new HttpError(404);
  return ctx.next();
};
