import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { addressKey } from "../../platform/http/client_address.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import type { SlidingWindow } from "../../platform/kv/mod.ts";

/** How long requests for options of sign-ins are counted. */
export const OPTIONS_WINDOW_MS = 10 * MINUTE_MS;
/** How long changes of an owner, and confirmations of a session, are counted. */
export const OWNER_WINDOW_MS = HOUR_MS;

/** Limits options for one client. The sign-in page requests them whenever it is opened. */
export const clientWindow = (limits: string, clientAddress: string): SlidingWindow => ({
  key: [limits, "client", sha256(addressKey(clientAddress))],
  limit: 100,
  windowMs: OPTIONS_WINDOW_MS,
  approximate: true,
});

/** Limits what one owner does, such as attempts to add a passkey, each of which stores a challenge. */
export const ownerWindow = (limits: string, owner: Deno.KvKey): SlidingWindow => ({
  key: [limits, ...owner],
  limit: 30,
  windowMs: OWNER_WINDOW_MS,
});

/** Limits how often a session asks to use a passkey. Other sessions do not count towards it. */
export const sessionWindow = (limits: string, session: string): SlidingWindow => ({
  key: [limits, "confirmations", session],
  limit: 120,
  windowMs: OWNER_WINDOW_MS,
});
