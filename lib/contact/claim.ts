import { type Expiring, expiring, isLive, isoAfter } from "../kv/mod.ts";

/** What may be taken once, until its time is over. */
export interface Claim {
  /** The record that has taken it; null where none has. */
  holder: string | null;
  /** Adds to a commit that a record takes it. The commit fails where another was faster. */
  take(commit: Deno.AtomicOperation, holder: string): void;
}

interface Held extends Expiring {
  holder: string;
}

/**
 * Reads whether something has been taken.
 *
 * @param key what it is; what a person might be known by stands in it hashed
 * @param now milliseconds since 1970
 */
export async function readClaim(
  kv: Deno.Kv,
  key: Deno.KvKey,
  lifetimeMs: number,
  now: number,
): Promise<Claim> {
  const entry = await kv.get<Held>(key);
  return {
    holder: entry.value !== null && isLive(entry.value, now) ? entry.value.holder : null,
    take(commit, holder) {
      const held = { holder, expires_at: isoAfter(now, lifetimeMs) };
      commit.check(entry).set(key, held, expiring(held, now));
    },
  };
}
