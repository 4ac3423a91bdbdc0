import {
  type DiskProblem,
  diskProblemOf,
  ReadOnlyError,
  type ReadOnlyReason,
} from "./read_only.ts";
import { isLocked, whenUnlocked } from "./transact.ts";

/** The rules that apply to every call of a store. */
export interface StoreRules {
  /** Called before each write. Returns null if writes are allowed. */
  readOnly: () => ReadOnlyReason | null;
  /** Called after each write, with null if the disk accepted it. */
  onDisk: (problem: DiskProblem | null) => void;
}

/** The most keys that one read may have. */
const MOST_KEYS = 10;

/** A property of the store, so that a proxy of a store has the same rules. */
const RULES = Symbol("rules");

/**
 * Changes a store so that each call is repeated while another process locks the SQLite file, writes
 * that the rules refuse are rejected, and `getMany` accepts more than ten keys. `openKv` has already
 * called it for the stores that it returns.
 *
 * @returns the rules of the store, which may be changed
 */
export function rulesOf(kv: Deno.Kv & { [RULES]?: StoreRules }): StoreRules {
  const own = kv[RULES];
  if (own !== undefined) return own;
  const rules: StoreRules = { readOnly: () => null, onDisk: () => {} };
  Object.assign(kv, ruledMethods(kv, rules), { [RULES]: rules });
  return rules;
}

function ruledMethods(kv: Deno.Kv, rules: StoreRules): Partial<Deno.Kv> {
  const { list, atomic } = kv;
  const write = writer(rules);
  const getMany = unlocked(kv.getMany.bind(kv)) as Deno.Kv["getMany"];
  return {
    get: unlocked(kv.get.bind(kv)) as Deno.Kv["get"],
    getMany:
      ((keys: Deno.KvKey[], options) =>
        keys.length <= MOST_KEYS ? getMany(keys, options) : Promise.all(
          tens(keys).map((some) => getMany(some, options)),
        ).then((read) => read.flat())) as Deno.Kv["getMany"],
    list<Value>(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
      const iterator = list.call(kv, selector, options) as Deno.KvListIterator<Value>;
      return Object.assign(iterator, { next: unlocked(iterator.next.bind(iterator)) });
    },
    set: write(kv.set.bind(kv)),
    delete: write(kv.delete.bind(kv)),
    atomic() {
      const operation = atomic.call(kv);
      return Object.assign(operation, { commit: write(operation.commit.bind(operation)) });
    },
  };
}

const tens = (keys: readonly Deno.KvKey[]): Deno.KvKey[][] =>
  Array.from(
    { length: Math.ceil(keys.length / MOST_KEYS) },
    (_, i) => keys.slice(i * MOST_KEYS, (i + 1) * MOST_KEYS),
  );

/** Repeats a call while the file is locked. */
const unlocked =
  <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    call(...args).catch((error) => {
      if (!isLocked(error)) throw error;
      return whenUnlocked(() => call(...args));
    });

/** Applies the rules to a write. */
const writer =
  (rules: StoreRules) =>
  <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    // The rules apply to each attempt, because they may change while the file is locked.
    unlocked(async (...args: Args): Promise<Result> => {
      const reason = rules.readOnly();
      if (reason !== null) throw new ReadOnlyError(reason);
      try {
        const result = await call(...args);
        rules.onDisk(null);
        return result;
      } catch (cause) {
        const problem = diskProblemOf(cause);
        if (problem === undefined) throw cause;
        rules.onDisk(problem);
        throw new ReadOnlyError(problem, { cause });
      }
    });
