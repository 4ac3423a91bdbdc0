import type { Middleware } from "fresh";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/** Binds the log lines that a request causes to it, so that they have its id. */
export function logScope({ requestScope }: Services): Middleware<State> {
  return (ctx) => requestScope.run(ctx.req, () => ctx.next());
}
