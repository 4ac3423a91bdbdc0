import type { Middleware } from "fresh";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/** Notes each answer until it was sent to its end, so that a stop can wait for it. */
export function underWay({ underWay }: Services): Middleware<State> {
  return (ctx) => {
    underWay.add(ctx.info.completed);
    return ctx.next();
  };
}
