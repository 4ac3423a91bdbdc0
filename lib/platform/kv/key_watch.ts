/** The watch of any number of keys for changes by any process, which `Deno.Kv.watch` cannot do. */
import type { Schedule } from "../../base/schedule.ts";
import { SECOND_MS } from "../../base/time.ts";
import { changeRow } from "./changes.ts";

/** How often change rows are read. */
const POLL_MS = SECOND_MS;
/** The number of keys that one read may have. */
const KEYS_PER_READ = 10;
/** The number of reads at the same time. Each takes a connection to a store over a network. */
const CONCURRENT_READS = 20;

/**
 * Reports changes of keys by any process, if all commits that change them call {@linkcode noteChange}.
 * `Deno.Kv.watch` watches at most ten keys, and with a file it misses the writes of other processes.
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
  callbacks: Set<() => void>;
}

/** A version of a row: null if the row does not exist, undefined before the first read. */
type Version = string | null | undefined;

/** A change row, and the watched keys that it covers. */
interface Shard {
  row: Deno.KvKey;
  version: Version;
  keys: Map<Watched, Version>;
}

/**
 * Creates a watch that reads the change rows of the watched keys once per second, then the keys whose row
 * has changed, and nothing while no key is watched.
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
  const shards = new Map<string, Shard>();
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
      const all = [...shards.values()];
      const versions = await versionsOf(all.map(({ row }) => row));
      const due = all.flatMap((shard, i) =>
        [...shard.keys].filter(([, known]) => known === undefined || shard.version !== versions[i])
          .map(([one]) => ({ one, shard }))
      );
      const found = await versionsOf(due.map(({ one }) => one.key));
      if (closed) return; // not everything was read
      // The keys were read after the rows, so a later change has another version of the row.
      for (const [i, shard] of all.entries()) shard.version = versions[i];
      for (const [i, { one, shard }] of due.entries()) {
        if (!shard.keys.has(one) || shard.keys.get(one) === found[i]) continue;
        shard.keys.set(one, found[i]);
        report(one);
      }
    } catch (error) {
      if (!closed) onError(error);
    }
    if (!closed) onPoll();
  }

  /** Reads the versions of rows. */
  async function versionsOf(keys: readonly Deno.KvKey[]): Promise<Version[]> {
    const versions: Version[] = [];
    let next = 0;
    const read = async () => {
      while (!closed && next < keys.length) {
        const from = next;
        next += KEYS_PER_READ;
        const entries = await kv.getMany(keys.slice(from, next));
        for (const [i, { versionstamp }] of entries.entries()) versions[from + i] = versionstamp;
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_READS }, read));
    return versions;
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
      const entry: Watched = watched.get(id) ?? { key, callbacks: new Set() };
      const row = changeRow(key);
      const shardId = JSON.stringify(row);
      const shard = shards.get(shardId) ?? { row, version: undefined, keys: new Map() };
      if (!watched.has(id)) shard.keys.set(entry, undefined);
      shards.set(shardId, shard);
      watched.set(id, entry);
      entry.callbacks.add(onChange);
      plan();
      return () => {
        entry.callbacks.delete(onChange);
        if (entry.callbacks.size > 0 || watched.get(id) !== entry) return;
        watched.delete(id);
        shard.keys.delete(entry);
        if (shard.keys.size === 0) shards.delete(shardId);
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
