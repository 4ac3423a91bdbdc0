import type { Middleware } from "fresh";
import { hostOf } from "../http/host.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/** Passes requests for a relay's host to the relay; nothing else runs for them. */
export function relays({ relays }: Services): Middleware<State> {
  if (relays.size === 0) return (ctx) => ctx.next();
  return (ctx) => {
    const host = hostOf(ctx.req)?.replace(/:\d+$/, "");
    const relay = host === undefined ? undefined : relays.get(host);
    return relay === undefined ? ctx.next() : relay(ctx.req);
  };
}
