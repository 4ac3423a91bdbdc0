import { rulesOf } from "./store_kv.ts";

/** How long requests may share a read, in milliseconds. */
export const SHARED_MS = 5;

/** Reads values by name, and shares the reads among requests. */
export interface SharedReads<Value> {
  /** Reads a value. The read begins after the call, so the value is never older than the call. */
  get(name: string): Promise<Value>;
  /**
   * Returns a value, at once if it is known. It may have been read up to {@link SHARED_MS} before the
   * call, but after this process last wrote anything, and not before a value that `get` returned.
   */
  getRecent(name: string): Value | Promise<Value>;
}

export interface SharedReadsOptions<Value> {
  /** The store that is read. */
  kv: Deno.Kv;
  read: (name: string) => Promise<Value>;
  /** Returns whether a value that was read may be shared. Default: every value may. */
  isCurrent?: (value: Value) => boolean;
  /** The number of values that are kept. */
  limit?: number;
  /** Returns the monotonic time in milliseconds. */
  elapsed?: () => number;
}

interface Start {
  /** The monotonic time when the read began. */
  at: number;
  /** The writes of this process until then. */
  writes: number;
}

/** A read that has begun, and the one that follows it, if someone waits for it. */
interface Running<Value> extends Start {
  value: Promise<Value>;
  next?: Promise<Value>;
}

interface Ended<Value> extends Start {
  value: Value;
}

/**
 * Shares reads of a name among requests: at most one read of it runs, and one more follows, for
 * everyone who could not share the first. So the last read is always the newest. What other processes
 * write is seen by reads that begin afterwards, and thus by `getRecent` after {@link SHARED_MS}.
 *
 * @example
 * ```ts
 * const reads = createSharedReads({ kv, read: (hash) => kv.get<Head>(["chains", hash]) });
 * const { value } = await reads.get(hash);
 * ```
 */
export function createSharedReads<Value>(
  {
    kv,
    read,
    isCurrent = () => true,
    limit = 1_000,
    elapsed = () => performance.now(),
  }: SharedReadsOptions<Value>,
): SharedReads<Value> {
  const rules = rulesOf(kv);
  const running = new Map<string, Running<Value>>();
  const ended = new Map<string, Ended<Value>>();

  function begin(name: string): Promise<Value> {
    const started: Running<Value> = { at: elapsed(), writes: rules.writes, value: read(name) };
    running.set(name, started);
    const end = () => {
      if (started.next === undefined) running.delete(name);
    };
    started.value.then((value) => {
      end();
      if (ended.size >= limit) ended.clear();
      ended.set(name, { at: started.at, writes: started.writes, value });
    }, end);
    return started.value;
  }

  /** Returns the value of a read that begins after the call. */
  function next(name: string, last: Running<Value>): Promise<Value> {
    const again = () => begin(name);
    return last.next ??= last.value.then(again, again);
  }

  const isRecent = ({ at, writes }: Start) => writes === rules.writes && elapsed() - at < SHARED_MS;

  return {
    get(name) {
      const last = running.get(name);
      return last === undefined ? begin(name) : next(name, last);
    },
    getRecent(name) {
      const last = running.get(name);
      if (last !== undefined) return isRecent(last) ? last.value : next(name, last);
      const known = ended.get(name);
      return known !== undefined && isRecent(known) && isCurrent(known.value)
        ? known.value
        : begin(name);
    },
  };
}
