/** Applies the deadlines to each method of the store. */
import type { Deadlines } from "./deadlines.ts";

type Commit = Deno.AtomicOperation["commit"];

/** The methods of a store whose calls have deadlines. */
export interface TimedKv
  extends Pick<Deno.Kv, "get" | "getMany" | "list" | "set" | "delete" | "atomic"> {
  /** Commits an operation of `atomic`, whose own `commit` has no deadline. */
  commit(commit: Commit, checks: readonly Deno.AtomicCheck[]): ReturnType<Commit>;
}

/** Gives each call of a store a deadline, and each batch of a list. */
export function timedKv(kv: Deno.Kv, { call }: Deadlines): TimedKv {
  const { get, getMany, list, set, delete: remove, atomic } = kv;
  const read = <Result>(method: string, keys: Keys, run: () => Promise<Result>) =>
    call({ operation: () => describe(method, keys), writes: false, run: () => repeated(run) });
  const write = <Result>(method: string, keys: Keys, run: () => Promise<Result>) =>
    call({ operation: () => describe(method, keys), writes: true, run });
  return {
    get: ((key, options) => read("get", () => [key], () => get.call(kv, key, options))) as Deno.Kv[
      "get"
    ],
    getMany:
      ((keys: Deno.KvKey[], options) =>
        read("get", () => keys, () => getMany.call(kv, keys, options))) as Deno.Kv["getMany"],
    list<Value>(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
      const iterator = list.call(kv, selector, options) as Deno.KvListIterator<Value>;
      const next = iterator.next.bind(iterator);
      const keys = () => ["prefix" in selector ? selector.prefix : selector.start];
      const isCall = callsOf(options);
      let rows = 0;
      return Object.assign(iterator, {
        // The other rows of a batch are in memory already, and a timer would take as long as a row.
        next: () =>
          !isCall(rows++) ? next() : read("list", keys, next).catch((error) => {
            rows--; // the call may be repeated
            throw error;
          }),
      });
    },
    set:
      ((key, value, options) =>
        write("set", () => [key], () => set.call(kv, key, value, options))) as Deno.Kv["set"],
    delete: (key) => write("delete", () => [key], () => remove.call(kv, key)),
    atomic: () => atomic.call(kv),
    commit: (commit, checks) => write("commit", () => checks.map(({ key }) => key), commit),
  };
}

/**
 * Returns whether a response ended before its last byte. Deno's client repeats a call after an error
 * status or a lost connection, but not then.
 */
export const brokeOff = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("failed to read response body");

/** Enough for connections that end now and then. */
const READ_ATTEMPTS = 5;

/** Repeats a read whose response broke off. */
function repeated<Result>(read: () => Promise<Result>, attempts = READ_ATTEMPTS): Promise<Result> {
  return read().catch((error) => {
    if (attempts === 1 || !brokeOff(error)) throw error;
    return repeated(read, attempts - 1);
  });
}

/**
 * Returns a function that tells whether a list calls the store for a row, by the number of rows before it. As in Deno,
 * that is so for the first row of each batch, up to the limit.
 */
export function callsOf({ batchSize, limit }: Deno.KvListOptions = {}): (rows: number) => boolean {
  const batch = batchSize ?? Math.min(limit ?? 100, 500);
  return (rows) => rows % batch === 0 && rows < (limit ?? Infinity);
}

/** Returns keys, only for a call that is overdue. */
type Keys = () => readonly Deno.KvKey[];

/** Names the method and the tables of a call, but no further parts of its keys, which may be personal data. */
function describe(method: string, keys: Keys): string {
  const tables = new Set(keys().map(([table = "everything"]) => String(table)));
  return [method, ...[...tables].sort()].join(" ");
}
