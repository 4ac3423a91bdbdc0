/** A sliding-window rate limiter in memory. */
import { fnv1a } from "../../base/fnv1a.ts";
import { type RateLimited, rateLimited } from "../../base/result.ts";

/** A rate limiter in the memory of this process. `lib/platform/kv/sliding_window.ts` is the stored one. */
export interface RateLimiter {
  /** Calls per client and window; 0 for no limit. */
  readonly limit: number;
  /**
   * Counts `cost` calls of a client: all of them, or none if the limit would be exceeded.
   *
   * @param key identifies the client; see `addressKey` for an address
   */
  take(key: string, cost?: number): { ok: true } | RateLimited;
  /** Returns what is left to a client, without counting a call; everything if there is no limit. */
  left(key: string): RateLeft;
}

interface RateLeft {
  /** The number of calls that would be allowed now. */
  calls: number;
  /** Milliseconds until a further call is allowed; 0 if no calls are counted. */
  moreInMs: number;
}

interface RateLimiterOptions {
  /** Calls per client and window; 0 for no limit. */
  limit: number;
  windowMs: number;
  /**
   * Returns the monotonic time in milliseconds; never the time of the system's clock, whose jumps would
   * lock clients out or lift their limits.
   */
  monotonic?: () => number;
  /** The maximum number of clients that are counted separately, which limits memory. */
  maxClients: number;
}

const ALLOWED = { ok: true } as const;
const NO_CALLS = { count: 0, first: 0 };

/**
 * Creates a limiter whose limit holds in every window of `windowMs`: it keeps the times of each
 * client's last `limit` calls, and allows a call when the oldest of them has left the window.
 *
 * Memory is limited, but a client is removed only when all its calls have left the window, never to
 * make room. While `maxClients` are known, further clients share a few counters, assigned by a keyed
 * hash. A flood of addresses therefore neither resets a count nor removes other clients. It can only
 * make new clients share a limit while it lasts.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { limit, windowMs, monotonic = () => performance.now(), maxClients } = options;
  if (limit <= 0) {
    return { limit: 0, take: () => ALLOWED, left: () => ({ calls: Infinity, moreInMs: 0 }) };
  }

  /** Ordered by last call, idle clients first. */
  const clients = new Map<string, CallTimes>();
  const shared = new Map<number, CallTimes>();
  const sharedCount = Math.max(1, maxClients >> 3);
  const hashKey = crypto.getRandomValues(new Uint32Array(1))[0];

  function deleteIdle(before: number) {
    for (const [key, times] of clients) {
      if (times.newest() > before) return;
      clients.delete(key);
    }
  }

  function timesOf(key: string, now: number): CallTimes {
    const known = clients.get(key);
    if (known) clients.delete(key);
    else if (clients.size >= maxClients) {
      deleteIdle(now - windowMs);
      if (clients.size >= maxClients) return sharedTimes(key);
    }
    const times = known ?? new CallTimes(limit);
    clients.set(key, times);
    return times;
  }

  const sharedIndex = (key: string) => keyedHash(key, hashKey) % sharedCount;

  function sharedTimes(key: string): CallTimes {
    const index = sharedIndex(key);
    const times = shared.get(index) ?? new CallTimes(limit);
    shared.set(index, times);
    return times;
  }

  return {
    limit,
    take(key, cost = 1) {
      const now = monotonic();
      const times = timesOf(key, now);
      const waitMs = cost > limit ? windowMs : times.freeAt(cost) + windowMs - now;
      if (waitMs > 0) return rateLimited(waitMs);
      times.add(now, cost);
      return ALLOWED;
    },
    left(key) {
      const now = monotonic();
      const times = clients.get(key) ??
        (clients.size < maxClients ? undefined : shared.get(sharedIndex(key)));
      const { count, first } = times?.after(now - windowMs) ?? NO_CALLS;
      return { calls: limit - count, moreInMs: count === 0 ? 0 : first + windowMs - now };
    },
  };
}

/** A ring buffer of the times of the last calls, which grows up to its capacity. */
class CallTimes {
  #times: number[] = [];
  #next = 0;
  constructor(readonly capacity: number) {}

  add(now: number, count: number) {
    for (; count > 0; count--) {
      this.#times[this.#next] = now;
      this.#next = (this.#next + 1) % this.capacity;
    }
  }

  newest(): number {
    return this.#times.at(this.#next - 1) ?? -Infinity;
  }

  /** Returns the number of calls after a time, and the time of the first of them. */
  after(time: number): { count: number; first: number } {
    const size = this.#times.length;
    const at = (i: number) => this.#times[(this.#next + i) % size]; // from the oldest call
    let [low, high] = [0, size];
    while (low < high) {
      const middle = low + high >> 1;
      if (at(middle) > time) high = middle;
      else low = middle + 1;
    }
    return low === size ? NO_CALLS : { count: size - low, first: at(low) };
  }

  /** Returns the time that the `count`th call from now would overwrite. */
  freeAt(count: number): number {
    return this.#times[(this.#next + count - 1) % this.capacity] ?? -Infinity;
  }
}

/** FNV-1a with a secret start value, which is cheap, and clients cannot choose their counter. */
function keyedHash(text: string, key: number): number {
  const hash = fnv1a(text, key);
  return (hash ^ hash >>> 15) >>> 0;
}
