/** The number of rows that `list` reads with one call by default. */
const BATCH_SIZE = 100;

/**
 * Returns a store whose every call takes longer, as with a store that is reached over a network. A
 * list waits once per batch.
 *
 * @param kv closed together with the returned store
 *
 * @example
 * ```ts
 * using kv = slowKv(await openKv(":memory:"), 20);
 * ```
 */
export function slowKv(kv: Deno.Kv, delayMs: number): Deno.Kv {
  const wait = () => delayBy(delayMs);
  const slow =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await wait();
      return await call(...args);
    };
  const changed = {
    get: slow(kv.get.bind(kv)),
    getMany: slow(kv.getMany.bind(kv)),
    set: slow(kv.set.bind(kv)),
    delete: slow(kv.delete.bind(kv)),
    list(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
      const iterator = kv.list(selector, options);
      const batch = options?.batchSize ?? Math.min(options?.limit ?? BATCH_SIZE, BATCH_SIZE);
      const { next } = iterator;
      let read = 0;
      return Object.assign(iterator, {
        async next() {
          if (read++ % batch === 0) await wait();
          return await next.call(iterator);
        },
      });
    },
    atomic() {
      const operation = kv.atomic();
      return Object.assign(operation, { commit: slow(operation.commit.bind(operation)) });
    },
  };
  return new Proxy(kv, {
    get(target, name) {
      if (Object.hasOwn(changed, name)) return changed[name as keyof typeof changed];
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Waits if the delay is greater than 0. */
export const delayBy = (delayMs: number): Promise<void> =>
  delayMs > 0 ? new Promise((resolve) => setTimeout(resolve, delayMs)) : Promise.resolve();
