import { unchecked } from "./scope.ts";
import { z } from "zod";
import { type RateLimited, rateLimited } from "../../base/result.ts";
import type { SecretPurpose, Secrets } from "../../base/secrets.ts";
import { EXPIRING, expiring, isoAfter } from "./expiry.ts";
import { transact } from "./transact.ts";

/**
 * A stored rate limit: at most `limit` calls in any period of `windowMs`. `lib/platform/http/rate_limit.ts` is
 * the one in memory.
 */
export interface SlidingWindow {
  /** Identifies what is counted. Hash anything that identifies a person. */
  key: Deno.KvKey;
  /**
   * Keys under which earlier calls count, too: those that contain signatures with older secrets. Calls
   * are counted under `key`.
   */
  earlier?: readonly Deno.KvKey[];
  /** From 1 to {@link MAX_LIMIT}. */
  limit: number;
  windowMs: number;
}

/** A stored time takes up to 9 bytes, and a value has at most 65,536. */
export const MAX_LIMIT = 5_000;

/** The value of a stored rate limit, for the schema of its table. */
export const windowLog = z.strictObject({
  /** The times of the last calls in milliseconds since 1970, at most `limit`. */
  times: z.array(z.number()),
  ...EXPIRING,
});

type Log = z.infer<typeof windowLog>;

/**
 * Returns the keys of a window that contain a signature, so that they do not reveal what is counted. Calls that
 * were counted with an older secret count, too.
 */
export async function signedKeys(
  secrets: Secrets,
  purpose: SecretPurpose,
  text: string,
  keyOf: (signature: string) => Deno.KvKey,
): Promise<Pick<SlidingWindow, "key" | "earlier">> {
  const [key, ...earlier] = (await secrets.signatures(purpose, text)).map(keyOf);
  return { key, earlier };
}

export interface Slot {
  /** Milliseconds until one more call is allowed; 0 if it is allowed now. */
  waitMs: number;
  /** Counts a call in a commit, which fails if another call has been counted since the read. */
  take(commit: Deno.AtomicOperation): void;
}

/**
 * Reads a window, for a call that is counted in the same commit as its writes. The limit is exact for
 * any number of processes, because the times are stored and `take` is checked. Rejected calls are not
 * counted.
 *
 * @param now milliseconds since 1970
 * @throws {RangeError} if the limit is out of range
 *
 * @example
 * ```ts
 * const result = await transact(async () => {
 *   const slot = await readSlot(kv, { key: ["limits", id], limit: 3, windowMs: HOUR_MS }, clock());
 *   if (slot.waitMs > 0) return { result: rateLimited(slot.waitMs) };
 *   const commit = kv.atomic().set(["notes", id], note);
 *   slot.take(commit);
 *   return { result: { ok: true }, commit };
 * });
 * ```
 */
export async function readSlot(kv: Deno.Kv, window: SlidingWindow, now: number): Promise<Slot> {
  const { key, earlier = [], limit, windowMs } = window;
  if (!(limit >= 1 && limit <= MAX_LIMIT)) {
    throw new RangeError(`The limit must be from 1 to ${MAX_LIMIT}, not ${limit}.`);
  }
  const [entry, ...others] = await kv.getMany<Log[]>([key, ...earlier]);
  // Times more than a window ahead were stored before the clock was set back.
  const within = (time: number) => Math.abs(now - time) < windowMs;
  const own = (entry.value?.times ?? []).filter(within);
  unchecked("Only processes that were started with the older secret first change them.", ...others);
  const times = [...others.flatMap(({ value }) => value?.times ?? []).filter(within), ...own]
    .sort((a, b) => a - b);
  const oldest = times.length < limit ? undefined : times[times.length - limit];
  const waitMs = oldest === undefined ? 0 : oldest + windowMs - now;
  if (waitMs > 0) unchecked("A call that is refused is not counted.", entry);
  return {
    waitMs,
    take(commit) {
      const log = {
        times: [...own, now].sort((a, b) => a - b),
        expires_at: isoAfter(now, windowMs),
      };
      commit.check(entry).set(key, log, expiring(log, now));
    },
  };
}

/**
 * Counts one call.
 *
 * @throws {RangeError} if the limit is out of range
 */
export function takeSlot(
  kv: Deno.Kv,
  window: SlidingWindow,
  clock: () => number,
): Promise<{ ok: true } | RateLimited> {
  return transact<{ ok: true } | RateLimited>(async () => {
    const slot = await readSlot(kv, window, clock());
    if (slot.waitMs > 0) return { result: rateLimited(slot.waitMs) };
    const commit = kv.atomic();
    slot.take(commit);
    return { result: { ok: true }, commit };
  });
}
