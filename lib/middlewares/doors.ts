import { HttpError, type Middleware } from "fresh";
import type { State } from "../state.ts";
import { createDoors, DOORS } from "../surfaces/mod.ts";

/** Lets a request through where its path is a door that opens on its surface; else 404. */
export function doors(): Middleware<State> {
  const isOpen = createDoors(DOORS);
  return (ctx) => {
    if (!isOpen(ctx.url.pathname, ctx.state.surface.kind)) throw new HttpError(404);
    return ctx.next();
  };
}
