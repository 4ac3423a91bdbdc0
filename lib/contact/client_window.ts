import { sha256 } from "../kv/hash.ts";
import { addressKey } from "../http/client_address.ts";
import type { SlidingWindow } from "../kv/mod.ts";

/**
 * How often one client registers. Of an IPv6 address the first 64 bits count.
 *
 * @param clientAddress its IP address
 * @param limit an hour
 */
export const clientWindow = (clientAddress: string, limit: number): SlidingWindow => ({
  key: ["contact_limits", sha256(addressKey(clientAddress))],
  limit,
  windowMs: 3_600_000,
});
