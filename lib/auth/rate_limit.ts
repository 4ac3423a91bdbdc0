import type { SlidingWindow } from "../kv/mod.ts";
import { addressKey } from "../http/client_address.ts";
import type { SurfaceKind } from "../surfaces/mod.ts";
import { HOUR_MS } from "../time.ts";
import { mailboxOf } from "./email.ts";
import { sha256 } from "../kv/hash.ts";

/** Spec section 8: three links per address and hour. */
const LINKS_PER_HOUR = 3;

/**
 * Limits links to one mailbox on one kind of surface. Each kind has its own count, so that requests
 * on the public site do not use up an administrator's links on the console.
 *
 * @param email normalised
 */
export const mailboxWindow = (email: string, kind: SurfaceKind): SlidingWindow => ({
  key: ["sign_in_limits", "address", kind, sha256(mailboxOf(email))],
  limit: LINKS_PER_HOUR,
  windowMs: HOUR_MS,
});

/** Limits links to a browser that signed in before, in place of its mailbox's limit. */
export const deviceWindow = (deviceId: string): SlidingWindow => ({
  key: ["sign_in_limits", "device", sha256(deviceId)],
  limit: LINKS_PER_HOUR,
  windowMs: HOUR_MS,
});

/**
 * Limits requests from one client. Of an IPv6 address the first 64 bits count.
 *
 * @param clientAddress its IP address
 * @param limit requests per hour
 */
export const clientWindow = (clientAddress: string, limit: number): SlidingWindow => ({
  key: ["sign_in_limits", "client", sha256(addressKey(clientAddress))],
  limit,
  windowMs: HOUR_MS,
});
