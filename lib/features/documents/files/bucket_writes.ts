/**
 * The queue of a bucket's writes, so that a bucket that hangs delays nothing for long.
 *
 * @module
 */
import { createQueue } from "../../../platform/kv/mod.ts";
import type { Schedule } from "../../../base/schedule.ts";
import { SECOND_MS } from "../../../base/time.ts";

export interface BucketLimits {
  /**
   * How long a write may take, with its time in the queue and its retries, and how long a read may
   * wait for the next bytes.
   */
  deadlineMs: number;
  /** While a write takes longer than this, no other one begins. */
  blockedAfterMs: number;
  /** How long no write begins after one has missed the deadline. */
  pauseMs: number;
  /** Starts the timers of reads; replaced in tests. */
  schedule?: Schedule;
}

export const BUCKET_LIMITS: BucketLimits = {
  deadlineMs: 20 * SECOND_MS,
  blockedAfterMs: 5 * SECOND_MS,
  pauseMs: 5 * SECOND_MS,
};

/** Thrown instead of a write while the bucket does not respond. */
export class BlockedError extends Error {
  override name = "BlockedError";

  constructor() {
    super("The bucket does not respond.");
  }
}

/** The writes to a bucket. A bucket that hangs delays nothing for longer than the deadline. */
interface BucketWrites {
  /**
   * Returns whether a write has waited for the bucket for too long, or has just given up. Meanwhile,
   * every other write fails at once with `BlockedError`.
   */
  isBlocked(): boolean;
  /** Lets no write begin for a while, because the bucket did not respond in time. */
  pause(): void;
  /** Writes after all uploads that were added before, of which one at a time is held in memory. */
  upload<Result>(write: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Writes without waiting for the queue. */
  write<Result>(write: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

/**
 * Creates the queue of a bucket's writes.
 *
 * @param clock a monotonic clock, in milliseconds
 */
export function createBucketWrites(
  { deadlineMs, blockedAfterMs, pauseMs }: BucketLimits,
  clock: () => number = () => performance.now(),
): BucketWrites {
  const enqueue = createQueue();
  /** When the running writes began. */
  const running = new Set<{ since: number }>();
  let blockedUntil = -Infinity;

  function isBlocked(): boolean {
    const now = clock();
    return now < blockedUntil ||
      [...running].some(({ since }) => now - since >= blockedAfterMs);
  }

  function pause(): void {
    blockedUntil = clock() + pauseMs;
  }

  async function run<Result>(
    write: (signal: AbortSignal) => Promise<Result>,
    deadline: AbortSignal,
  ): Promise<Result> {
    if (isBlocked() || deadline.aborted) throw new BlockedError();
    const started = { since: clock() };
    running.add(started);
    try {
      return await write(deadline);
    } catch (error) {
      // Otherwise each waiting upload, and the removal of this one, would wait for the deadline too.
      if (deadline.aborted) pause();
      throw error;
    } finally {
      running.delete(started);
    }
  }

  return {
    isBlocked,
    pause,
    async upload(write) {
      if (isBlocked()) throw new BlockedError();
      const deadline = AbortSignal.timeout(deadlineMs);
      return await enqueue(() => run(write, deadline));
    },
    write: (write) => run(write, AbortSignal.timeout(deadlineMs)),
  };
}
