import { SECOND_MS } from "../../base/time.ts";

/** How often watched keys are read. */
const POLL_MS = SECOND_MS;
/** The number of keys that one read may have. */
const KEYS_PER_READ = 10;
/** The number of reads at the same time, for stores that are reached over a network. */
const CONCURRENT_READS = 4;

/** Calls back once after a delay. Returns a function that cancels it. */
export type Schedule = (run: () => void, ms: number) => () => void;

export const scheduleTimeout: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/**
 * Reports changes of keys by any process. `Deno.Kv.watch` watches at most ten keys, and with a file
 * it misses the writes of other processes.
 */
export interface KeyWatch {
  /** The number of watched keys. */
  readonly size: number;
  /**
   * Calls back when the key has changed, and once after the first read.
   *
   * @returns a function that stops it
   */
  watch(key: Deno.KvKey, onChange: () => void): () => void;
  /** Reports a change that this process has just made, without waiting for the next read. */
  changed(key: Deno.KvKey): void;
  /** Stops all reads. Resolves when the current one has finished. */
  close(): Promise<void>;
}

interface Watched {
  key: Deno.KvKey;
  /** Null for a key that does not exist; undefined before the first read. */
  versionstamp?: string | null;
  callbacks: Set<() => void>;
}

/**
 * Creates a watch that reads all watched keys once per second, ten at a time, and reads nothing while
 * no key is watched.
 *
 * @param onPoll called after each round of reads
 * @param onError called when a round fails; the next one follows as usual
 */
export function createKeyWatch(
  { kv, schedule, onPoll = () => {}, onError }: {
    kv: Deno.Kv;
    schedule: Schedule;
    onPoll?: () => void;
    onError: (error: unknown) => void;
  },
): KeyWatch {
  const watched = new Map<string, Watched>();
  let cancel: (() => void) | null = null;
  let polling: Promise<void> | null = null;
  let closed = false;

  function plan() {
    if (closed || cancel !== null || polling !== null || watched.size === 0) return;
    cancel = schedule(() => {
      cancel = null;
      polling = poll().finally(() => {
        polling = null;
        plan();
      });
    }, POLL_MS);
  }

  async function poll() {
    try {
      const keys = [...watched.values()];
      const reads = Array.from(
        { length: Math.ceil(keys.length / KEYS_PER_READ) },
        (_, i) => keys.slice(i * KEYS_PER_READ, (i + 1) * KEYS_PER_READ),
      );
      const readers = Array.from({ length: CONCURRENT_READS }, async () => {
        for (let some; !closed && (some = reads.pop()) !== undefined;) await read(some);
      });
      await Promise.all(readers);
    } catch (error) {
      if (!closed) onError(error);
    }
    if (!closed) onPoll();
  }

  async function read(some: Watched[]) {
    const entries = await kv.getMany(some.map(({ key }) => key));
    for (const [i, { versionstamp }] of entries.entries()) {
      if (some[i].versionstamp === versionstamp) continue;
      some[i].versionstamp = versionstamp;
      report(some[i]);
    }
  }

  const report = ({ callbacks }: Watched) => {
    for (const onChange of [...callbacks]) onChange();
  };

  return {
    get size() {
      return watched.size;
    },
    watch(key, onChange) {
      const id = JSON.stringify(key);
      const entry = watched.get(id) ?? { key, callbacks: new Set() };
      watched.set(id, entry);
      entry.callbacks.add(onChange);
      plan();
      return () => {
        entry.callbacks.delete(onChange);
        if (entry.callbacks.size > 0 || watched.get(id) !== entry) return;
        watched.delete(id);
        if (watched.size > 0) return;
        cancel?.();
        cancel = null;
      };
    },
    changed(key) {
      const entry = watched.get(JSON.stringify(key));
      if (entry !== undefined) report(entry);
    },
    async close() {
      closed = true;
      cancel?.();
      cancel = null;
      await polling;
    },
  };
}
