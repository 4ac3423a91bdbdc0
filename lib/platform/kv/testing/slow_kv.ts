import { batchSizeOf } from "../timed_kv.ts";

/** A call of a store: its name and the keys or prefixes that it reads; for a commit those it checks. */
export interface KvCall {
  name: "get" | "getMany" | "list" | "set" | "delete" | "commit";
  keys: readonly Deno.KvKey[];
}

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
export const slowKv = (kv: Deno.Kv, delayMs: number): Deno.Kv => holdKv(kv, () => delayBy(delayMs));

/**
 * Returns a store whose every call is held before it runs.
 *
 * @param kv closed together with the returned store
 * @param hold resolves when a call may run
 */
export function holdKv(kv: Deno.Kv, hold: (call: KvCall) => Promise<void>): Deno.Kv {
  const held = <Args extends unknown[], Result>(
    name: KvCall["name"],
    call: (...args: Args) => Promise<Result>,
    keysOf: (...args: Args) => KvCall["keys"],
  ) =>
  async (...args: Args): Promise<Result> => {
    await hold({ name, keys: keysOf(...args) });
    return await call(...args);
  };
  const one = (...[key]: [Deno.KvKey, ...unknown[]]) => [key];
  const changed = {
    get: held("get", kv.get.bind(kv), one),
    getMany: held("getMany", kv.getMany.bind(kv), (keys: readonly Deno.KvKey[]) => keys),
    set: held("set", kv.set.bind(kv), one),
    delete: held("delete", kv.delete.bind(kv), one),
    list(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
      const iterator = kv.list(selector, options);
      const batch = batchSizeOf(options);
      const keys = ["prefix" in selector ? selector.prefix : selector.start];
      const { next } = iterator;
      let read = 0;
      return Object.assign(iterator, {
        async next() {
          if (read++ % batch === 0) await hold({ name: "list", keys });
          return await next.call(iterator);
        },
      });
    },
    atomic() {
      const operation = kv.atomic();
      const { check, commit } = operation;
      const keys: Deno.KvKey[] = [];
      return Object.assign(operation, {
        check(...checks: Deno.AtomicCheck[]) {
          for (const { key } of checks) keys.push(key);
          return check.apply(operation, checks);
        },
        commit: held("commit", commit.bind(operation), () => keys),
      });
    },
  };
  return new Proxy(kv, {
    get(target, name) {
      if (Object.hasOwn(changed, name)) return changed[name as keyof typeof changed];
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    // A method that a test replaces must not replace the one that is held.
    set: (_, name, value) => Reflect.set(changed, name, value),
  });
}

/** Waits if the delay is greater than 0. */
export const delayBy = (delayMs: number): Promise<void> =>
  delayMs > 0 ? new Promise((resolve) => setTimeout(resolve, delayMs)) : Promise.resolve();
