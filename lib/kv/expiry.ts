/** A value with an expiry time. */
export interface Expiring {
  /** ISO 8601, UTC. */
  expires_at: string;
}

/** Returns the ISO time `ms` milliseconds after `now`. */
export const isoAfter = (now: number, ms: number): string => new Date(now + ms).toISOString();

/** Returns true before `expires_at`, and false from that millisecond on. */
export const isLive = ({ expires_at }: Expiring, now: number): boolean =>
  now < Date.parse(expires_at);

/**
 * Returns the options of `set` that make the store delete an expiring value. Every later `set` of
 * the key needs them again. The store may return the value for another minute after its expiry, so
 * readers still check {@link isLive}.
 */
export const expiring = (value: Expiring, now: number): { expireIn: number } => ({
  expireIn: Math.max(1, Date.parse(value.expires_at) - now),
});

/** Reads an expiring value. Returns null if it does not exist or has expired. */
export async function getLive<Value extends Expiring>(
  kv: Deno.Kv,
  key: Deno.KvKey,
  now: number,
): Promise<Deno.KvEntry<Value> | null> {
  const entry = await kv.get<Value>(key);
  return entry.versionstamp !== null && isLive(entry.value, now) ? entry : null;
}
