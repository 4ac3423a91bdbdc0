import { type Expiring, expiring, isoAfter } from "./expiry.ts";

/** At most `limit` in any span of `windowMs`. */
export interface SlidingWindow {
  /** Whose count it is. What tells a person apart stands in it hashed. */
  key: Deno.KvKey;
  /** From 1 to {@link MAX_LIMIT}. */
  limit: number;
  windowMs: number;
}

/** What one key's value has room for: a time takes up to 9 of 65,536 bytes, and some are spare. */
export const MAX_LIMIT = 5_000;

interface Log extends Expiring {
  /** When the last ones passed, in milliseconds since 1970: `limit` of them at most. */
  times: number[];
}

/** What a window has to say at one moment. */
export interface Slot {
  /** Milliseconds until one more may pass; 0 where it may at once. */
  waitMs: number;
  /** Adds to a commit that one more has passed. The commit fails where another was faster. */
  take(commit: Deno.AtomicOperation): void;
}

/**
 * Reads how full a window is. It holds exactly, at every moment and for any number of processes,
 * because the times themselves are kept and taking a slot is checked. Who is refused takes none.
 *
 * @param now milliseconds since 1970
 * @throws {RangeError} (rejects) where the limit is out of its bounds
 *
 * @example
 * ```ts
 * const result = await transact(async () => {
 *   const slot = await readSlot(kv, { key: ["limits", id], limit: 3, windowMs: 3_600_000 }, clock());
 *   if (slot.waitMs > 0) return { result: "not yet" };
 *   const commit = kv.atomic();
 *   slot.take(commit);
 *   return { result: "done", commit };
 * });
 * ```
 */
export async function readSlot(kv: Deno.Kv, window: SlidingWindow, now: number): Promise<Slot> {
  const { key, limit, windowMs } = window;
  if (!(limit >= 1 && limit <= MAX_LIMIT)) {
    throw new RangeError(`A window's limit is from 1 to ${MAX_LIMIT}, not ${limit}.`);
  }
  const entry = await kv.get<Log>(key);
  // What lies further ahead than a window was taken before the clock was set back.
  const times = (entry.value?.times ?? []).filter((time) => Math.abs(now - time) < windowMs);
  const oldest = times.length < limit ? undefined : times[times.length - limit];
  return {
    waitMs: oldest === undefined ? 0 : oldest + windowMs - now,
    take(commit) {
      const log = {
        times: [...times, now].sort((a, b) => a - b),
        expires_at: isoAfter(now, windowMs),
      };
      commit.check(entry).set(key, log, expiring(log, now));
    },
  };
}
