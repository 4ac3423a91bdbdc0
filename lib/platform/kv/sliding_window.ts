/** The counting of calls for rate limits in the store. */
import { z } from "zod";
import { type RateLimited, rateLimited } from "../../base/result.ts";
import { countInOne, letOthersGo } from "./count_in.ts";
import { EXPIRING, expiring, isoAfter } from "./expiry.ts";
import { unchecked } from "./scope.ts";
import { transact } from "./transact.ts";

/**
 * A stored rate limit: at most `limit` calls in any period of `windowMs`. Features declare theirs with `defineLimit`,
 * which returns them. `lib/platform/http/rate_limit.ts` is the one in memory.
 */
export interface SlidingWindow {
  /** Identifies what is counted. */
  key: Deno.KvKey;
  /**
   * Keys under which earlier calls count, too: those that contain signatures with older secrets. Calls
   * are counted under `key`.
   */
  earlier?: readonly Deno.KvKey[];
  /** From 1 to {@link MAX_LIMIT}. */
  limit: number;
  windowMs: number;
  /**
   * True if up to a fifth more calls than `limit` may pass, over all processes. The calls are then counted in
   * several rows, so that people who share a limit, such as everybody behind one network address, hardly wait
   * for each other. Default: false, so exactly `limit` calls pass
   */
  approximate?: boolean;
}

/** The most rows of an approximate window. One read has at most ten. */
const MOST_SHARDS = 8;

/** A stored time takes up to 9 bytes, and a value has at most 65,536. */
export const MAX_LIMIT = 5_000;

/** The value of a stored rate limit. */
export const windowLog = z.strictObject({
  /** The times of the last calls in milliseconds since 1970, at most `limit`. */
  times: z.array(z.number()),
  ...EXPIRING,
});

type Log = z.infer<typeof windowLog>;

/** A look at a window: whether one more call is allowed. */
export interface Slot {
  /** Milliseconds until one more call is allowed; 0 if it is allowed now. */
  waitMs: number;
  /** Counts a call in a commit, which fails if another call has been counted in its row since the read. */
  take(commit: Deno.AtomicOperation): void;
}

/**
 * Reads a window in a transaction, for a call that is counted in the same commit as its writes. The limit is
 * exact for any number of processes, because the times are stored and `take` is checked. Rejected calls are not
 * counted. Transactions of one process that count in the same row wait for each other, see `countIn`.
 *
 * Each row of an approximate window is checked, too, but the other rows may change meanwhile: by one call each
 * before everybody sees that the limit is reached.
 *
 * @param now milliseconds since 1970
 * @throws {RangeError} if the limit is out of range
 *
 * @example
 * ```ts
 * const result = await transact(async () => {
 *   const slot = await readSlot(kv, noteLimit.of([id]), clock());
 *   if (slot.waitMs > 0) return { result: rateLimited(slot.waitMs) };
 *   const commit = kv.atomic().set(["notes", id], note);
 *   slot.take(commit);
 *   return { result: { ok: true }, commit };
 * });
 * ```
 */
export async function readSlot(kv: Deno.Kv, window: SlidingWindow, now: number): Promise<Slot> {
  const { earlier = [], limit, windowMs } = window;
  if (!(limit >= 1 && limit <= MAX_LIMIT)) {
    throw new RangeError(`The limit must be from 1 to ${MAX_LIMIT}, not ${limit}.`);
  }
  const rows = rowsOf(window);
  const at = countInOne(kv, rows);
  const read = await kv.getMany<Log[]>([...rows, ...earlier]);
  const [entry] = read.splice(at, 1);
  // Times more than a window ahead were stored before the clock was set back.
  const within = (time: number) => Math.abs(now - time) < windowMs;
  const own = (entry.value?.times ?? []).filter(within);
  unchecked(
    "They may differ by what the limit is approximate, or change in older processes.",
    ...read,
  );
  const times = [...read.flatMap(({ value }) => value?.times ?? []).filter(within), ...own]
    .sort((a, b) => a - b);
  const oldest = times.length < limit ? undefined : times[times.length - limit];
  const waitMs = oldest === undefined ? 0 : oldest + windowMs - now;
  if (waitMs > 0) {
    unchecked("A call that is refused is not counted.", entry);
    letOthersGo(...rows);
  }
  return {
    waitMs,
    take(commit) {
      const log = {
        times: [...own, now].sort((a, b) => a - b),
        expires_at: isoAfter(now, windowMs),
      };
      commit.check(entry).set(entry.key, log, expiring(log, now));
    },
  };
}

/**
 * Returns the rows in which calls are counted. Of an approximate window, each row but the one that reaches the
 * limit can have one call too many.
 */
function rowsOf({ key, limit, approximate = false }: SlidingWindow): Deno.KvKey[] {
  if (!approximate) return [key];
  const length = Math.min(MOST_SHARDS, 1 + Math.floor(limit / 5));
  return Array.from({ length }, (_, i) => [...key, i]);
}

/**
 * Counts one call in one or several windows: in all of them or, if one of them is full, in none.
 *
 * @throws {RangeError} if a limit is out of range
 */
export function takeSlot(
  kv: Deno.Kv,
  windows: SlidingWindow | readonly SlidingWindow[],
  clock: () => number,
): Promise<{ ok: true } | RateLimited> {
  return transact<{ ok: true } | RateLimited>(async () => {
    const now = clock();
    const slots = await Promise.all([windows].flat().map((window) => readSlot(kv, window, now)));
    const waitMs = Math.max(...slots.map((slot) => slot.waitMs));
    if (waitMs > 0) return { result: rateLimited(waitMs) };
    const commit = kv.atomic();
    for (const slot of slots) slot.take(commit);
    return { result: { ok: true }, commit };
  });
}
