import { z } from "zod";

/** The column of a value with an expiry time, for the schema of its table. */
export const EXPIRING = {
  /** ISO 8601, UTC. */
  expires_at: z.iso.datetime(),
};

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
 * Returns the options for `set` that make the store delete an expiring value. Pass them to every
 * `set` of the key. The store may still return the value for a minute after its expiry, so readers
 * must check {@link isLive}.
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
