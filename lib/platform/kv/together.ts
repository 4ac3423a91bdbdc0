/** Combines reads that are made at the same time into one call of the store. */
import { nextTick } from "node:process";

type Entry = Deno.KvEntryMaybe<unknown>;

interface Batch {
  reader: object;
  /** The limit of its wait. Only reads with the same one are combined. */
  limit: unknown;
  keys: Deno.KvKey[];
  entries: Promise<Entry[]>;
}

/**
 * Returns a function that reads rows, at most `most`. Rows that one reader asks for at the same time are one call of
 * the store, because a call takes several times as long as another row in it. Those of one read are never divided, so
 * that they are rows of the same time.
 *
 * @param read reads rows by their keys
 * @param most the most keys of one call
 * @param limitOf returns the limit of the running work's wait. Reads with other limits are not combined with it
 *
 * @example
 * ```ts
 * const together = createTogether((keys) => kv.getMany(keys), 10, deadlines.limit);
 * const [[a], [b, c]] = await Promise.all([together(reader, [["a"]]), together(reader, [["b"], ["c"]])]);
 * ```
 */
export function createTogether(
  read: (keys: readonly Deno.KvKey[]) => Promise<Entry[]>,
  most: number,
  limitOf: () => unknown,
): (reader: object, keys: readonly Deno.KvKey[]) => Promise<Entry[]> {
  /** The calls that have not begun. A read joins the first one with room for it. */
  const open: Batch[] = [];

  function begin(reader: object, limit: unknown): Batch {
    const keys: Deno.KvKey[] = [];
    const batch = { reader, limit, keys, entries: entriesOf() };
    open.push(batch);
    return batch;

    async function entriesOf() {
      // A tick that begins in a microtask comes after all microtasks. Until then, everything is added that can be read
      // without waiting for something else.
      await Promise.resolve();
      await new Promise<void>((resolve) => nextTick(resolve));
      open.splice(open.indexOf(batch), 1);
      return await read(keys);
    }
  }

  return async (reader, keys) => {
    const limit = limitOf();
    const batch =
      open.find((batch) =>
        batch.reader === reader && batch.limit === limit && batch.keys.length + keys.length <= most
      ) ?? begin(reader, limit);
    const end = batch.keys.push(...keys);
    return (await batch.entries).slice(end - keys.length, end);
  };
}
