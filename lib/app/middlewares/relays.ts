import { hostOf } from "../../platform/http/host.ts";
import type { Relay } from "../../features/relay/mod.ts";
import type { Services } from "../services.ts";

/** Returns the relay for the host of a request. */
export function relayFor({ relays }: Services, req: Request): Relay | undefined {
  return relayAt(relays, hostOf(req) ?? "");
}

/** @param host as `hostOf` returns it */
export const relayAt = (relays: Services["relays"], host: string): Relay | undefined =>
  relays.size === 0 ? undefined : relays.get(host.replace(/:\d+$/, ""));
