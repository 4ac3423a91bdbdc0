/** Helps to test whether a transaction notices that another process was faster. */
import { commitTable } from "../exactly_once.ts";
import { inScope } from "../scope.ts";
import { rulesOf } from "../store_kv.ts";
import { Turns } from "../turns.ts";

/** A store in which something else can happen between the reads of a transaction and its commit. */
export interface RaceKv extends Deno.Kv {
  /**
   * Runs `action` once, right before the next commit that writes a row with this prefix: as another process, which
   * does not wait for those that count in its rows.
   */
  meanwhile(prefix: string, action: () => Promise<unknown>): void;
  /**
   * Runs `action`, and returns the tables of the rows that each of its commits checked, such as
   * `contacts records`, without the ids of commits on a store that is reached over a network. The commit fails if one
   * of these rows has changed since it was read.
   */
  checksOf(action: () => Promise<unknown>): Promise<string[]>;
}

/**
 * Returns a store for tests of transactions that happen at the same time.
 *
 * @param kv closed together with the returned store
 *
 * @example
 * ```ts
 * using kv = raceKv(await openKv(":memory:"));
 * kv.meanwhile("passkeys", () => removeRecord(hash));
 * assertEquals(await addPasskey(kv, hash), fail("not_found"));
 * ```
 */
export function raceKv(kv: Deno.Kv): RaceKv {
  const actions = new Map<unknown, () => Promise<unknown>>();
  const commits: string[] = [];
  async function asAnotherProcess(action: () => Promise<unknown>): Promise<void> {
    const rules = rulesOf(kv);
    const { turns } = rules;
    rules.turns = new Turns();
    try {
      await inScope(undefined, action);
    } finally {
      rules.turns = turns;
    }
  }

  function atomic(): Deno.AtomicOperation {
    const operation = kv.atomic();
    const check = operation.check.bind(operation);
    const mutate = operation.mutate.bind(operation);
    const commit = operation.commit.bind(operation);
    const checked = new Map<string, unknown>();
    const written: unknown[] = [];
    return Object.assign(operation, {
      check(...checks: Deno.AtomicCheck[]) {
        for (const { key } of checks) {
          if (key[0] !== commitTable.prefix) checked.set(key.join(), key[0]);
        }
        return check(...checks);
      },
      mutate(...mutations: Deno.KvMutation[]) {
        for (const { key } of mutations) written.push(key[0]);
        return mutate(...mutations);
      },
      set: (key: Deno.KvKey, value: unknown, options?: { expireIn?: number }) =>
        operation.mutate({ type: "set", key, value, ...options }),
      delete: (key: Deno.KvKey) => operation.mutate({ type: "delete", key }),
      async commit() {
        for (const prefix of written) {
          const action = actions.get(prefix);
          actions.delete(prefix);
          if (action !== undefined) await asAnotherProcess(action);
        }
        commits.push([...checked.values()].sort().join(" "));
        return await commit();
      },
    });
  }
  const changed = {
    atomic,
    meanwhile: (prefix: string, action: () => Promise<unknown>) => actions.set(prefix, action),
    async checksOf(action: () => Promise<unknown>) {
      commits.length = 0;
      await action();
      return [...commits];
    },
  };
  return new Proxy(kv, {
    get(target, name) {
      if (Object.hasOwn(changed, name)) return changed[name as keyof typeof changed];
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  }) as RaceKv;
}
