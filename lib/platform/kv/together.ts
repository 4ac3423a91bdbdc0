/** Combines single reads that are made at the same time into one call of the store. */

type Entry = Deno.KvEntryMaybe<unknown>;

interface Batch {
  reader: object;
  /** The limit of its wait. Only reads with the same one are combined. */
  limit: unknown;
  keys: Deno.KvKey[];
  entries: Promise<Entry[]>;
}

/**
 * Returns a function that reads a row. Rows that one reader asks for at the same time are one call of the store: a
 * call takes several times as long as another row in it.
 *
 * @param read reads rows by their keys
 * @param most the most keys of one call
 * @param limitOf returns the limit of the running work's wait. Reads with other limits are not combined with it
 *
 * @example
 * ```ts
 * const together = createTogether((keys) => kv.getMany(keys), 10, deadlines.limit);
 * const [one, other] = await Promise.all([together(reader, ["a"]), together(reader, ["b"])]);
 * ```
 */
export function createTogether(
  read: (keys: readonly Deno.KvKey[]) => Promise<Entry[]>,
  most: number,
  limitOf: () => unknown,
): (reader: object, key: Deno.KvKey) => Promise<Entry> {
  let open: Batch | undefined;

  function begin(reader: object, limit: unknown): Batch {
    const keys: Deno.KvKey[] = [];
    // Reads of the same turn are added before this runs.
    const entries = Promise.resolve().then(() => {
      if (open === batch) open = undefined;
      return read(keys);
    });
    const batch = { reader, limit, keys, entries };
    return batch;
  }

  return async (reader, key) => {
    const limit = limitOf();
    const fits = open !== undefined && open.reader === reader && open.limit === limit &&
      open.keys.length < most;
    if (!fits) open = begin(reader, limit);
    const { keys, entries } = open!;
    const at = keys.push(key) - 1;
    return (await entries)[at];
  };
}
