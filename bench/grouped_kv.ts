/**
 * A store whose commits are written in groups, so that a benchmark can fill it with the site's own
 * functions. Only for filling: checks are ignored, and reads do not see what is not flushed yet.
 *
 * @module
 */

export interface GroupedKv {
  kv: Deno.Kv;
  /** The time at which the following writes are supposed to happen. */
  clock: { now: number };
  /** Returns a commit at a time. Rows that would have expired by now are left out. */
  atomic(at?: number): Deno.AtomicOperation;
  /** Writes everything that was committed so far. */
  flush(): Promise<void>;
}

/** Fewer than the 1,000 that one commit may have, so that their size stays below 800 KiB too. */
const PER_COMMIT = 500;

/** Groups the commits to a store. Counters are summed up, and written by `flush`. */
export function groupCommits(real: Deno.Kv): GroupedKv {
  const clock = { now: Date.now() };
  const sums = new Map<string, { key: Deno.KvKey; n: bigint }>();
  const begin = real.atomic.bind(real);
  let group = begin();
  let size = 0;

  async function write() {
    const full = group;
    group = begin();
    size = 0;
    await full.commit();
  }

  function atomic(at = clock.now): Deno.AtomicOperation {
    const steps: (() => void)[] = [];
    const add = (step: () => void) => {
      steps.push(step);
      return commit;
    };
    const commit = {
      check: () => commit,
      set: (key: Deno.KvKey, value: unknown, options?: { expireIn?: number }) => {
        if (options?.expireIn === undefined) return add(() => void group.set(key, value));
        const expireIn = options.expireIn - (Date.now() - at);
        return expireIn <= 0 ? commit : add(() => void group.set(key, value, { expireIn }));
      },
      delete: (key: Deno.KvKey) => add(() => void group.delete(key)),
      sum(key: Deno.KvKey, n: bigint) {
        const id = JSON.stringify(key);
        const before = sums.get(id)?.n ?? 0n;
        sums.set(id, { key, n: BigInt.asUintN(64, before + n) });
        return commit;
      },
      async commit() {
        for (const step of steps.splice(0)) {
          step();
          if (++size >= PER_COMMIT) await write();
        }
        return { ok: true, versionstamp: "0".repeat(20) };
      },
    };
    return commit as unknown as Deno.AtomicOperation;
  }

  return {
    clock,
    atomic,
    async flush() {
      for (const { key, n } of sums.values()) {
        group.sum(key, n);
        if (++size >= PER_COMMIT) await write();
      }
      sums.clear();
      await write();
    },
    kv: {
      get: real.get.bind(real),
      getMany: real.getMany.bind(real),
      list: real.list.bind(real),
      set: real.set.bind(real),
      delete: real.delete.bind(real),
      watch: real.watch.bind(real),
      atomic: () => atomic(),
      close: () => {},
    } as unknown as Deno.Kv,
  };
}
