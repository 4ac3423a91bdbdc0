import type { Middleware } from "fresh";
import { addressKey, clientOf } from "../../platform/http/client_address.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/**
 * Counts the body of a request against the budget of the process and of its sender's network address, as far as
 * it is kept in memory, until there is a response.
 */
export function bodies({ bodies }: Services): Middleware<State> {
  return (ctx) => {
    const { method } = ctx.req;
    if (method === "GET" || method === "HEAD") return ctx.next();
    const account = bodies.open(ctx.req, () => addressKey(clientOf(ctx)));
    return ctx.next().finally(account.close);
  };
}
