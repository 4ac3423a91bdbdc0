import { type Middleware, trailingSlashes } from "fresh";
import type { State } from "../state.ts";

/**
 * Leads from an address with a slash at its end to the one without. Only what is read is led on: a
 * redirect would lose the body of anything else, which finds nothing there.
 */
export function oneAddress(): Middleware<State> {
  const redirect = trailingSlashes<State>("never");
  return (ctx) => {
    const { method } = ctx.req;
    return method === "GET" || method === "HEAD" ? redirect(ctx) : ctx.next();
  };
}
