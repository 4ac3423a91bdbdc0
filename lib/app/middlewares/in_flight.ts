import type { Middleware } from "fresh";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/** Tracks each request until its response has been sent, so that a shutdown can wait for it. */
export function inFlight({ inFlight }: Services): Middleware<State> {
  return (ctx) => {
    inFlight.add(ctx.info.completed);
    return ctx.next();
  };
}
