import { createDeadlines, type Deadlines } from "./deadlines.ts";
import { commitOnce, limitChecks } from "./exactly_once.ts";
import {
  type DiskProblem,
  diskProblemOf,
  ReadOnlyError,
  type ReadOnlyReason,
} from "./read_only.ts";
import { timedKv } from "./timed_kv.ts";
import { isLocked, whenUnlocked } from "./transact.ts";

/** The rules that apply to every call of a store. */
export interface StoreRules {
  /** True if a network may lose the response to a commit, so that each needs an id. Default: false. */
  remote: boolean;
  /** How long callers wait for each call, except `watch`. */
  readonly deadlines: Deadlines;
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
 * that the rules refuse are rejected, commits on a remote store take effect once, and `getMany` accepts
 * more than ten keys. `openKv` has already called it for the stores that it returns.
 *
 * @param deadlines those of the store that this one passes its calls on to
 * @returns the rules of the store, which may be changed
 */
export function rulesOf(
  kv: Deno.Kv & { [RULES]?: StoreRules },
  deadlines: Deadlines = createDeadlines(),
): StoreRules {
  const own = kv[RULES];
  if (own !== undefined) return own;
  const rules: StoreRules = {
    remote: false,
    deadlines,
    readOnly: () => null,
    onDisk: () => {},
  };
  Object.assign(kv, ruledMethods(kv, rules), { [RULES]: rules });
  return rules;
}

function ruledMethods(kv: Deno.Kv, rules: StoreRules): Partial<Deno.Kv> {
  const timed = timedKv(kv, rules.deadlines);
  const write = writer(rules);
  const getMany = unlocked(timed.getMany) as Deno.Kv["getMany"];
  /** Commits a write without checks on a remote store. */
  async function commitAlone(operation: Deno.AtomicOperation): Promise<Deno.KvCommitResult> {
    const result = await commitOnce(timed, operation, () => operation.commit(), []);
    if (!result.ok) throw new Error("A write without checks failed."); // only if its id was deleted
    return result;
  }
  return {
    get: unlocked(timed.get) as Deno.Kv["get"],
    getMany:
      ((keys: Deno.KvKey[], options) =>
        keys.length <= MOST_KEYS ? getMany(keys, options) : Promise.all(
          tens(keys).map((some) => getMany(some, options)),
        ).then((read) => read.flat())) as Deno.Kv["getMany"],
    list<Value>(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
      const iterator = timed.list<Value>(selector, options);
      return Object.assign(iterator, { next: unlocked(iterator.next) });
    },
    set: write((...args: Parameters<Deno.Kv["set"]>) =>
      rules.remote ? commitAlone(timed.atomic().set(...args)) : timed.set(...args)
    ),
    delete: write(async (key: Deno.KvKey) => {
      if (rules.remote) await commitAlone(timed.atomic().delete(key));
      else await timed.delete(key);
    }),
    atomic() {
      const operation = timed.atomic();
      const checked: Deno.AtomicCheck[] = [];
      const check = operation.check.bind(operation);
      const commit = operation.commit.bind(operation);
      return Object.assign(operation, {
        check(...checks: Deno.AtomicCheck[]) {
          for (const added of checks) {
            if (checked.some((known) => isSame(known, added))) continue;
            checked.push(added);
            check(added);
          }
          return operation;
        },
        commit: write(async () => {
          limitChecks(checked);
          return await (rules.remote
            ? commitOnce(timed, operation, commit, [...checked])
            : timed.commit(commit, checked));
        }),
      });
    },
  };
}

/** Returns whether two checks are the same. Functions that add to one commit often check one row. */
const isSame = (one: Deno.AtomicCheck, other: Deno.AtomicCheck): boolean =>
  one.versionstamp === other.versionstamp && one.key.length === other.key.length &&
  one.key.every((part, i) => part === other.key[i]);

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
