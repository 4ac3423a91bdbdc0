/** The number of keys that one read may have. */
const MOST_KEYS = 10;

/** Reads keys of a store, those of several callers with one request. */
export interface BatchedReads {
  getMany<Value>(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<Value>[]>;
}

interface Batch {
  keys: Deno.KvKey[];
  entries: Promise<Deno.KvEntryMaybe<unknown>[]>;
}

/**
 * Joins the reads that begin in the same turn of the event loop, because a request to the store costs
 * more than a key. At most ten keys are read at once.
 *
 * @example
 * ```ts
 * const reads = createBatchedReads(kv);
 * const [[one], [other]] = await Promise.all([reads.getMany([["a"]]), reads.getMany([["b"]])]);
 * ```
 */
export function createBatchedReads(kv: Pick<Deno.Kv, "getMany">): BatchedReads {
  let next: Batch | null = null;

  function begin(): Batch {
    const keys: Deno.KvKey[] = [];
    const entries = Promise.resolve().then(() => {
      if (next === batch) next = null;
      return kv.getMany<unknown[]>(keys);
    });
    const batch = { keys, entries };
    return batch;
  }

  return {
    async getMany<Value>(keys: readonly Deno.KvKey[]) {
      if (next === null || next.keys.length + keys.length > MOST_KEYS) next = begin();
      const batch = next;
      const first = batch.keys.length;
      batch.keys.push(...keys);
      const entries = await batch.entries;
      return entries.slice(first, first + keys.length) as Deno.KvEntryMaybe<Value>[];
    },
  };
}
