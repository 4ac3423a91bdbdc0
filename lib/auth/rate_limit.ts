import type { SlidingWindow } from "../kv/mod.ts";
import { addressKey } from "../http/client_address.ts";
import { sha256 } from "./hash.ts";

/** Spec section 8: three links for one address an hour. */
const LINKS_PER_ADDRESS = 3;

const HOUR_MS = 3_600_000;

/**
 * How often links go to one address. It knows nothing of users, so it tells nothing of them.
 *
 * @param email normalised
 */
export const addressWindow = (email: string): SlidingWindow => ({
  key: ["sign_in_limits", "address", sha256(email)],
  limit: LINKS_PER_ADDRESS,
  windowMs: HOUR_MS,
});

/**
 * How often one client asks for links. Of an IPv6 address the first 64 bits count.
 *
 * @param clientAddress its IP address
 * @param limit an hour
 */
export const clientWindow = (clientAddress: string, limit: number): SlidingWindow => ({
  key: ["sign_in_limits", "client", sha256(addressKey(clientAddress))],
  limit,
  windowMs: HOUR_MS,
});
