import type { Middleware } from "fresh";
import type { State } from "../state.ts";

/** Binds the log lines that a request causes to it, so that they have its id. */
export const logScope: Middleware<State> = (ctx) =>
  ctx.state.services.requestScope.run(ctx.req, () => ctx.next());
