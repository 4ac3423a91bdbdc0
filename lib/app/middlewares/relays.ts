import type { Middleware } from "fresh";
import { hostOf } from "../../platform/http/host.ts";
import type { Relay } from "../../features/relay/mod.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/** Passes requests for a relay's host to the relay, and skips all other middlewares for them. */
export function relays(services: Services): Middleware<State> {
  if (services.relays.size === 0) return (ctx) => ctx.next();
  return (ctx) => relayFor(services, ctx.req)?.(ctx.req, ctx.info) ?? ctx.next();
}

/** Returns the relay for the host of a request. */
export function relayFor({ relays }: Services, req: Request): Relay | undefined {
  return relays.get(hostOf(req)?.replace(/:\d+$/, "") ?? "");
}
