import type { Middleware } from "fresh";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/** Counts each request until its response was sent, so that a stop can wait for it. */
export function inFlight({ inFlight }: Services): Middleware<State> {
  return (ctx) => {
    inFlight.add(ctx.info.completed);
    return ctx.next();
  };
}
