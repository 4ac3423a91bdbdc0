/** Delays or holds each call of a store, for tests of slow networks and of order. */
import { callsOf } from "../timed_kv.ts";

/** A call of a store. */
export interface KvCall {
  name: "get" | "getMany" | "list" | "set" | "delete" | "commit";
  /** The keys or prefixes that it reads; for a commit those it checks. */
  keys: readonly Deno.KvKey[];
  /** The keys that it sets, changes or deletes. */
  mutations: readonly Deno.KvKey[];
  /** The rows that the batch of a list has returned so far. */
  rows: number;
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
 * @param ended called when a call has run, with its result; undefined if it failed. The call returns when it resolves
 */
export function holdKv(
  kv: Deno.Kv,
  hold: (call: KvCall) => Promise<void>,
  ended: (call: KvCall, result: unknown) => void | Promise<void> = () => {},
): Deno.Kv {
  const run = async <Result>(call: KvCall, action: () => Promise<Result>): Promise<Result> => {
    await hold(call);
    let result: Result | undefined;
    try {
      return result = await action();
    } finally {
      await ended(call, result);
    }
  };
  const held = <Args extends unknown[], Result>(
    name: KvCall["name"],
    action: (...args: Args) => Promise<Result>,
    of: (...args: Args) => Partial<KvCall>,
  ) =>
  (...args: Args): Promise<Result> =>
    run({ name, keys: [], mutations: [], rows: 0, ...of(...args) }, () => action(...args));
  const read = (...[key]: [Deno.KvKey, ...unknown[]]) => ({ keys: [key] });
  const written = (...[key]: [Deno.KvKey, ...unknown[]]) => ({ keys: [key], mutations: [key] });
  const changed = {
    get: held("get", kv.get.bind(kv), read),
    getMany: held("getMany", kv.getMany.bind(kv), (keys: readonly Deno.KvKey[]) => ({ keys })),
    set: held("set", kv.set.bind(kv), written),
    delete: held("delete", kv.delete.bind(kv), written),
    list(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
      const iterator = kv.list(selector, options);
      const isCall = callsOf(options);
      const keys = ["prefix" in selector ? selector.prefix : selector.start];
      const next = iterator.next.bind(iterator);
      let read = 0;
      let call: KvCall;
      return Object.assign(iterator, {
        async next() {
          const isFirst = isCall(read++);
          if (isFirst) call = { name: "list", keys, mutations: [], rows: 0 };
          const row = await (isFirst ? run(call, next) : next());
          if (!row.done) call.rows++;
          return row;
        },
      });
    },
    atomic() {
      const operation = kv.atomic();
      const { check, mutate, commit } = operation;
      const keys: Deno.KvKey[] = [];
      const mutations: Deno.KvKey[] = [];
      const change = (mutation: Deno.KvMutation) => {
        mutations.push(mutation.key);
        return mutate.call(operation, mutation);
      };
      const sum = (type: "sum" | "min" | "max") => (key: Deno.KvKey, n: bigint) =>
        change({ type, key, value: new Deno.KvU64(n) });
      return Object.assign(operation, {
        check(...checks: Deno.AtomicCheck[]) {
          for (const { key } of checks) keys.push(key);
          return check.apply(operation, checks);
        },
        mutate(...all: Deno.KvMutation[]) {
          for (const mutation of all) change(mutation);
          return operation;
        },
        set: (key: Deno.KvKey, value: unknown, options?: { expireIn?: number }) =>
          change({ type: "set", key, value, ...options }),
        delete: (key: Deno.KvKey) => change({ type: "delete", key }),
        sum: sum("sum"),
        min: sum("min"),
        max: sum("max"),
        commit: held("commit", commit.bind(operation), () => ({ keys, mutations })),
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
