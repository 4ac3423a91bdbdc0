/** Gives every opened store the site's rules: deadlines, read-only mode, authority and safe commits. */
import { type Actor, currentActor } from "./authority.ts";
import { createDeadlines, type Deadlines, StoreUnavailableError } from "./deadlines.ts";
import { limitChecks, MOST_CHECKS } from "./check_limit.ts";
import { commitOnce } from "./exactly_once.ts";
import { isOutdated, type Proof, proofFor, storeChanged, type StoreIdentity } from "./identity.ts";
import { Operation } from "./operation.ts";
import {
  type DiskProblem,
  diskProblemOf,
  ReadOnlyError,
  type ReadOnlyReason,
} from "./read_only.ts";
import { refusalOf, type StoreRefusal, StoreRefusedError } from "./refusal.ts";
import { timedKv } from "./timed_kv.ts";
import { createTogether } from "./together.ts";
import { isLocked, whenUnlocked } from "./transact.ts";
import { Turns } from "./turns.ts";

/** The rules that apply to every call of a store. */
export interface StoreRules {
  /** True if a network may lose the response to a commit, so that each needs an id. Default: false. */
  remote: boolean;
  /** How long callers wait for each call, except `watch`. */
  readonly deadlines: Deadlines;
  /** True if rows that a request reads at the same time are one call. Default: true. */
  together: boolean;
  /** How many checks a commit may have, apart from those that this store adds. Default: nine. */
  mostChecks: number;
  /** How commits know the store that the process started with. Null: they do not. */
  identity: StoreIdentity | null;
  /** Called before each write. Returns null if writes are allowed. */
  readOnly: () => ReadOnlyReason | null;
  /** Called after each write, with null if it was accepted. */
  onWrite: (problem: WriteProblem | null) => void;
  /**
   * Asks the server of a store over a network whether it accepts writes, although they are refused, and without changing
   * anything. Returns null if it does. Rejects if that is not known. Default: there is no server.
   */
  tryToWrite: (signal: AbortSignal) => Promise<WriteProblem | null>;
  /** Called for a write in the name of a request that has its response. Default: nothing. */
  onLate: () => void;
  /**
   * The tables that can be read in a store that has taken the place of ours on a server, to find out when ours is
   * back. Other tables of such a store would give wrong answers: a record of ours would not exist there.
   */
  identifying: readonly Deno.KvKeyPart[];
  /** Called with the keys of rows that are read. Default: nothing. */
  onRead: (keys: readonly Deno.KvKey[], how: How) => void;
  /** Called before each attempt of a commit. Default: nothing. */
  onCommit: (commit: Commit) => void;
  /** The turns of those who count in rows of the store. */
  turns: Turns;
}

/** Why a write was not accepted. */
export type WriteProblem = DiskProblem | StoreRefusal;

/** How rows were read: by their keys, or by a list. */
export type How = "get" | "list";

/** The checks and writes of one attempt of a commit. */
export interface Commit {
  /** The checks that its caller has added. */
  own: readonly Deno.AtomicCheck[];
  /** All checks, with those of the request's authority. */
  all: readonly Deno.AtomicCheck[];
  /** The keys that it writes, without sums. */
  written: readonly Deno.KvKey[];
  /** True if it neither checks nor writes anything, and adds to no sum. */
  isEmpty: boolean;
}

/** The most keys that one read may have. */
const MOST_KEYS = 10;

let onRules: ((rules: StoreRules) => void) | undefined;

/** Calls a function with the rules of every store that is opened from now on. Tests change them with it. */
export function watchRules(watch: (rules: StoreRules) => void): void {
  onRules = watch;
}

/** A property of the store, so that a proxy of a store has the same rules. */
const RULES = Symbol("rules");

/**
 * Changes a store so that each call is repeated while another process locks the SQLite file, writes
 * that the rules refuse are rejected, writes for a request hold only while its authority is in force,
 * commits on a remote store take effect once, rows that a request reads at the same time are one call, and
 * `getMany` accepts more than ten keys. `openKv` has already called it for the stores that it returns.
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
    together: true,
    mostChecks: MOST_CHECKS,
    identity: null,
    readOnly: () => null,
    onWrite: () => {},
    tryToWrite: () => Promise.reject(new Error("The store has no server.")),
    onLate: () => {},
    identifying: [],
    onRead: () => {},
    onCommit: () => {},
    turns: new Turns(),
  };
  onRules?.(rules);
  Object.assign(kv, ruledMethods(kv, rules), { [RULES]: rules });
  return rules;
}

/**
 * Reads the row with the store's id, before something is signed that the store contains.
 *
 * @throws {ReadOnlyError} if it is not the store that the process started with
 */
export async function confirmStore(kv: Deno.Kv): Promise<void> {
  const { identity } = rulesOf(kv);
  if (identity === null) return;
  if (!await identity.isInPlace() || !identity.note(await kv.get(identity.row.key))) {
    throw storeChanged();
  }
}

function ruledMethods(kv: Deno.Kv, rules: StoreRules): Partial<Deno.Kv> {
  const timed = timedKv(kv, rules.deadlines);
  const write = writer(rules);
  const get = unlocked(told(timed.get));
  const getMany = unlocked(told(timed.getMany)) as Deno.Kv["getMany"];
  const together = createTogether(
    async (keys) => keys.length === 1 ? [await get(keys[0])] : await getMany(keys),
    MOST_KEYS,
    rules.deadlines.limit,
  );
  const set = write(timed.set);
  const remove = write(timed.delete);
  const atomic = () => new Operation(() => timed.atomic(), write(commit));

  async function commit(operation: Operation) {
    const actor = actorOf(rules);
    return actor === null ? await attempt(operation, operation.checks) : await actor.commit({
      checks: operation.checks,
      changeOf: (key) => operation.changeOf(key),
      attempt: (checks) => attempt(operation, checks),
    });
  }

  async function attempt(operation: Operation, checks: readonly Deno.AtomicCheck[]) {
    limitChecks(checks, rules.mostChecks - operation.reserved);
    const { checks: own, written, isEmpty } = operation;
    rules.onCommit({ own, all: checks, written, isEmpty });
    for (;;) {
      const { identity, remote } = rules;
      const isProven = identity !== null && (remote || operation.reserved > 0);
      const proof = isProven ? await proofFor(identity, timed, operation, checks) : null;
      const built = operation.build(proof === null ? checks : [...checks, proof.row]);
      let isCommitted = false;
      try {
        const result = await (remote
          ? commitOnce(
            timed,
            built,
            () => built.commit(),
            checks,
            proof,
          )
          : commitHere(built, checks, proof));
        isCommitted = result.ok;
        if (!("outdated" in result)) return result;
      } finally {
        if (!isCommitted) operation.discard(); // the next attempt may have other checks
      }
    }
  }

  /** Commits an operation on a store whose responses are never lost. */
  async function commitHere(
    operation: Deno.AtomicOperation,
    checks: readonly Deno.AtomicCheck[],
    proof: Proof | null,
  ) {
    const result = await timed.commit(() => operation.commit(), checks);
    if (result.ok || proof === null) return result;
    return isOutdated(proof, await timed.get(proof.row.key))
      ? { ...result, outdated: true }
      : result;
  }

  /** Commits a write without checks of its own. */
  async function commitAlone(operation: Deno.AtomicOperation): Promise<Deno.KvCommitResult> {
    const result = await operation.commit();
    if (!result.ok) throw new Error("A write without checks failed."); // only if its id was deleted
    return result;
  }

  /** Returns for whom rows are read, if those that it reads at the same time are one call. */
  const readerOf = (options: unknown) =>
    options === undefined && rules.together ? currentActor() : undefined;

  /** Returns whether a write needs a commit, rather than a call that checks nothing. */
  const needsCommit = () => rules.remote || actorOf(rules) !== null;

  /**
   * SQLite goes on with a file that was moved, but a server that was started with another one has its rows.
   *
   * @throws {StoreUnavailableError} for a read in another store
   */
  function refuseOther(method: string, keys: readonly Deno.KvKey[]): void {
    if (!rules.remote || rules.identity?.isOther !== true) return;
    const table = keys.map(([first]) => first).find((each) => !rules.identifying.includes(each));
    if (table === undefined) return;
    throw new StoreUnavailableError(`${method} ${String(table)}`, rules.deadlines.outcome());
  }

  return {
    async get<Value>(...[key, options]: Parameters<Deno.Kv["get"]>) {
      refuseOther("get", [key]);
      currentActor()?.noteRead([key]);
      rules.onRead([key], "get");
      const reader = readerOf(options);
      const entry = reader === undefined
        ? await get(key, options)
        : (await together(reader, [key]))[0];
      return entry as Deno.KvEntryMaybe<Value>;
    },
    getMany: (async (keys: Deno.KvKey[], options) => {
      refuseOther("get", keys);
      currentActor()?.noteRead(keys);
      rules.onRead(keys, "get");
      const reader = readerOf(options);
      const read = (some: Deno.KvKey[]) =>
        reader === undefined ? getMany(some, options) : together(reader, some);
      if (keys.length <= MOST_KEYS) return await read(keys);
      return (await Promise.all(tens(keys).map(read))).flat();
    }) as Deno.Kv["getMany"],
    list<Value>(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
      const iterator = timed.list<Value>(selector, options);
      const next = unlocked(told(iterator.next));
      const prefix = "prefix" in selector ? selector.prefix : selector.start;
      return Object.assign(iterator, {
        next: async () => {
          refuseOther("list", [prefix]);
          const result = await next();
          if (!result.done) {
            currentActor()?.noteRead([result.value.key]);
            rules.onRead([result.value.key], "list");
          }
          return result;
        },
      });
    },
    set: async (...args: Parameters<Deno.Kv["set"]>) =>
      needsCommit() ? await commitAlone(atomic().set(...args)) : await set(...args),
    async delete(key: Deno.KvKey) {
      if (needsCommit()) await commitAlone(atomic().delete(key));
      else await remove(key);
    },
    atomic,
  };
}

/** Returns the actor whose authority a write depends on; null if it has none. */
function actorOf(rules: StoreRules): Actor | null {
  const actor = currentActor();
  if (actor === undefined || actor.store !== rules) return null;
  if (actor.isAnswered) rules.onLate();
  return actor.isLimited ? actor : null;
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

/** Names the reason if the store's server refuses a call. */
const told =
  <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    call(...args).catch((cause) => {
      const refusal = refusalOf(cause);
      throw refusal === undefined ? cause : new StoreRefusedError(refusal, { cause });
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
        const result = await told(call)(...args);
        rules.onWrite(null);
        return result;
      } catch (cause) {
        if (cause instanceof StoreRefusedError) rules.onWrite(cause.code);
        const problem = diskProblemOf(cause);
        if (problem === undefined) throw cause;
        rules.onWrite(problem);
        throw new ReadOnlyError(problem, { cause });
      }
    });
