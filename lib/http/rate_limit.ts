/** Whether a call may go ahead; if not, after how many whole seconds it could. */
export type RateDecision = { allowed: true } | {
  allowed: false;
  retryAfterSeconds: number;
};

export interface RateLimiter {
  /** The most calls of one client in a window; 0 for no limit. */
  readonly limit: number;
  /**
   * Counts `cost` calls of one client, all or none. Refused calls are not counted.
   *
   * @param key who calls; see {@link addressKey} for an address
   */
  take(key: string, cost?: number): RateDecision;
}

export interface RateLimiterOptions {
  /** The most calls of one client in any `windowMs`; 0 for no limit. */
  limit: number;
  windowMs: number;
  /** Milliseconds; never backwards. */
  clock: () => number;
  /** How many clients are told apart at one time: the bound on memory. */
  maxClients: number;
}

const ALLOWED: RateDecision = { allowed: true };

/**
 * A limiter that holds exactly in every window: it keeps the times of each client's last `limit`
 * calls, and a call passes where the one `limit` calls ago has left the window.
 *
 * Memory is bounded without letting anybody out: a client is forgotten only when all its calls
 * have left the window, never to make room. While all places are taken, newcomers are spread by a
 * keyed hash over a few shared places. So a flood of addresses neither resets its own count nor
 * pushes others out; it can only make newcomers share their limit for as long as it lasts.
 *
 * @example
 * ```ts
 * const limiter = createRateLimiter({ limit: 60, windowMs: 60_000, clock: Date.now, maxClients: 10_000 });
 * const decision = limiter.take(addressKey("203.0.113.7"));
 * if (!decision.allowed) console.log(`again in ${decision.retryAfterSeconds} s`);
 * ```
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { limit, windowMs, clock, maxClients } = options;
  if (limit <= 0) return { limit: 0, take: () => ALLOWED };

  /** In the order of their last call, so that the idle ones stand in front. */
  const clients = new Map<string, CallTimes>();
  const shared = new Map<number, CallTimes>();
  const sharedPlaces = Math.max(1, maxClients >> 3);
  const hashKey = crypto.getRandomValues(new Uint32Array(1))[0];

  function forgetIdle(before: number) {
    for (const [key, times] of clients) {
      if (times.newest() > before) return;
      clients.delete(key);
    }
  }

  function timesOf(key: string, now: number): CallTimes {
    const known = clients.get(key);
    if (known) clients.delete(key);
    else if (clients.size >= maxClients) {
      forgetIdle(now - windowMs);
      if (clients.size >= maxClients) return sharedTimes(key);
    }
    const times = known ?? new CallTimes(limit);
    clients.set(key, times);
    return times;
  }

  function sharedTimes(key: string): CallTimes {
    const place = keyedHash(key, hashKey) % sharedPlaces;
    const times = shared.get(place) ?? new CallTimes(limit);
    shared.set(place, times);
    return times;
  }

  return {
    limit,
    take(key, cost = 1) {
      const now = clock();
      const times = timesOf(key, now);
      const wait = cost > limit ? windowMs : times.freeAt(cost) + windowMs - now;
      if (wait > 0) {
        return { allowed: false, retryAfterSeconds: Math.ceil(wait / 1000) };
      }
      times.add(now, cost);
      return ALLOWED;
    },
  };
}

/** A ring of the times of the last calls, which grows up to its capacity. */
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

  /** When the place was last used that the `count`th call from now would take. */
  freeAt(count: number): number {
    return this.#times[(this.#next + count - 1) % this.capacity] ?? -Infinity;
  }
}

/** FNV-1a from a secret start: cheap, and nobody outside can choose where a key falls. */
function keyedHash(text: string, key: number): number {
  let hash = key;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash ^ hash >>> 15) >>> 0;
}
