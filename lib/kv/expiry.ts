/** A value that ends: `expires_at` is an ISO 8601 time in UTC. */
export interface Expiring {
  expires_at: string;
}

/** The ISO time `ms` milliseconds after `now`. */
export const isoAfter = (now: number, ms: number): string => new Date(now + ms).toISOString();

/** True until the very moment of `expires_at`, at which the value is gone. */
export const isLive = ({ expires_at }: Expiring, now: number): boolean =>
  now < Date.parse(expires_at);

/**
 * Options of `set` for an expiring value, so that the store removes it in time. `expireIn` is a
 * lower bound, after which the value may be returned for another minute: it keeps the store small
 * and decides nothing. Every later `set` of the key needs it again.
 */
export const expiring = (value: Expiring, now: number): { expireIn: number } => ({
  expireIn: Math.max(1, Date.parse(value.expires_at) - now),
});

/**
 * Reads an expiring value.
 *
 * @returns its entry, or null where there is none or its time is over
 */
export async function getLive<Value extends Expiring>(
  kv: Deno.Kv,
  key: Deno.KvKey,
  now: number,
): Promise<Deno.KvEntry<Value> | null> {
  const entry = await kv.get<Value>(key);
  return entry.versionstamp !== null && isLive(entry.value, now) ? entry : null;
}
