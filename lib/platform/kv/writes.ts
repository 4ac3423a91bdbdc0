const counters = new WeakMap<Deno.Kv, { writes: number }>();

/**
 * Makes a store count the writes of this process, and returns the store.
 *
 * @example
 * ```ts
 * const before = writesOf(countWrites(kv));
 * await kv.set(["a"], 1);
 * writesOf(kv) > before; // true
 * ```
 */
export function countWrites(kv: Deno.Kv): Deno.Kv {
  if (counters.has(kv)) return kv;
  const counter = { writes: 0 };
  counters.set(kv, counter);
  /** Counts a write once it has ended, so that callers that waited for it see the count. */
  const counted = <Args extends unknown[], Result>(
    write: (...args: Args) => Promise<Result>,
  ) =>
  (...args: Args) => write(...args).finally(() => counter.writes++);
  const { atomic } = kv;
  return Object.assign(kv, {
    set: counted(kv.set.bind(kv)),
    delete: counted(kv.delete.bind(kv)),
    atomic() {
      const operation = atomic.call(kv);
      return Object.assign(operation, { commit: counted(operation.commit.bind(operation)) });
    },
  });
}

/** Returns how often this process has written to a store that counts its writes. */
export const writesOf = (kv: Deno.Kv): number => counters.get(kv)!.writes;
