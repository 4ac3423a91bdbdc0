/** Lets a test assert which rows an action writes or deletes. */
import { commitTable } from "../exactly_once.ts";
import { ROOM_FOR_ID } from "./limited_kv.ts";
import { holdKv } from "./slow_kv.ts";

/** A store that knows which rows an action has changed. */
interface WrittenKv {
  kv: Deno.Kv;
  /** Runs an action, and returns the keys of the rows that are stored or deleted since it began. */
  changedBy(action: () => Promise<unknown>): Promise<string[]>;
}

/**
 * Returns a store that notes its successful writes, which takes much less time than comparing all rows. It leaves
 * out the ids of commits on a store that is reached over a network.
 *
 * @param real an empty store, closed together with the returned one
 *
 * @example
 * ```ts
 * const { kv, changedBy } = writtenKv(await openKv(":memory:"));
 * assertEquals(await changedBy(() => kv.set(["people", 1], {})), ["people/1"]);
 * ```
 */
export function writtenKv(real: Deno.Kv): WrittenKv {
  const written = new Map<string, Deno.KvKey>();
  const kv = holdKv(real, () => Promise.resolve(), ({ name, mutations }, result) => {
    if (name === "commit" && !(result as Deno.KvCommitResult | undefined)?.ok) return;
    for (const key of mutations) {
      if (key !== ROOM_FOR_ID && key[0] !== commitTable.prefix) {
        written.set(key.map(String).join("/"), key);
      }
    }
  });
  const known = new Set<string>();
  return {
    kv,
    async changedBy(action) {
      for (const id of written.keys()) known.add(id);
      written.clear();
      await action();
      const rows = [...written];
      const now = await real.getMany(rows.map(([, key]) => key));
      // A row that was never there may be deleted, for example by a clean-up.
      return rows.filter(([id], i) => now[i].versionstamp !== null || known.has(id))
        .map(([id]) => id);
    },
  };
}
