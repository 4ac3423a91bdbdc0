/** Removes index entries that were written with a secret which is lost. */
import { type ContactIndex, contacts, INDEX_PREFIXES } from "../../contact/mod.ts";
import type { Migration, StoreWork } from "../../../platform/store/mod.ts";
import { keyAfter } from "../../../platform/kv/mod.ts";

/** How many rows are read together. A commit has at most 80 KiB of keys. */
const BATCH = 200;

const NAME = "lost_contact_rows";

/**
 * Deletes the rows that find records and were written with an `APP_SECRET` that is lost. A deletion of
 * their record cannot compute their keys, so they would remain after it. The cursor is the index of the
 * prefix and the key of the last row, as JSON.
 */
export const lostRowsMigration = (
  { kv, index, storeWork }: { kv: Deno.Kv; index: ContactIndex; storeWork: StoreWork },
): Migration => ({
  name: NAME,
  label: "index rows of a lost secret",
  rotates: true,
  beside: "nobody can find anything by these rows",
  step: {
    async batch(cursor) {
      // Otherwise, the rows have been written again with their older secret at hand.
      if (cursor === "" && await storeWork.isComplete(NAME)) return { next: null };
      const [place, key] = cursor === ""
        ? [0, [] as Deno.KvKeyPart[]]
        : JSON.parse(cursor) as [number, Deno.KvKeyPart[]];
      const after = key.length === 0 ? {} : { start: keyAfter(key) };
      const rows = await Array.fromAsync(
        kv.list({ prefix: [INDEX_PREFIXES[place]], ...after }, { limit: BATCH, batchSize: BATCH }),
        ({ key }) => key,
      );
      const lost = await lostOf({ kv, index }, rows);
      const next = rows.length === BATCH ? [place, rows.at(-1)!] : [place + 1, []];
      return {
        indexed: rows.length,
        next: next[0] === INDEX_PREFIXES.length ? null : JSON.stringify(next),
        // Nobody writes such a key again, so no check is needed.
        addToCommit: (commit) => lost.forEach((key) => commit.delete(key)),
      };
    },
  },
});

/** Returns the keys that no configured secret leads to from their record, or whose record is gone. */
async function lostOf(
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
  keys: readonly Deno.KvKey[],
): Promise<Deno.KvKey[]> {
  const hashOf = (key: Deno.KvKey) => String(key.at(-1));
  const hashes = [...new Set(keys.map(hashOf))];
  const found = await contacts.getMany(kv, hashes.map((hash): [string] => [hash]));
  const macs = new Map(
    await Promise.all(
      found.map(async ({ key, value }) => [hashOf(key), await index.macsOf(value)] as const),
    ),
  );
  return keys.filter((key) => !macs.get(hashOf(key))?.has(String(key[1])));
}
