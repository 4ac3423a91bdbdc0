/** The row that identifies a store, and that tells whether it is a restored copy. */
import { z } from "zod";
import { ALWAYS, defineTable, FORMAT, FORMAT_KEY, transact } from "../kv/mod.ts";

const restored = z.strictObject({
  /** When the copy was taken. */
  exported_at: z.iso.datetime(),
  /** When it was imported; null for a copied file. */
  imported_at: z.iso.datetime().nullable(),
  /** The host of the trust surface that signed the chains. */
  trust_host: z.string(),
});

export type Restored = z.infer<typeof restored>;

/** The row `["store"]`, which identifies a store. Times are ISO 8601 in UTC. */
const storeMarker = z.strictObject({
  id: z.string(),
  created_at: z.iso.datetime(),
  /** Set in a copy until `deno task chain:reconcile` removes it. */
  restored: restored.optional(),
});

export type StoreMarker = z.infer<typeof storeMarker>;

/** The table of the row that identifies a store. */
export const storeTable = defineTable({
  prefix: "store",
  value: storeMarker,
  owner: "nobody",
  lifetime: ALWAYS,
  per: "store",
});

/** The key of that row. */
export const STORE_KEY: Deno.KvKey = storeTable.key();

/**
 * A row whose key no other store has. Commits check it, because the marker of another store can have the same
 * versionstamp.
 */
export const storeIds = defineTable({
  prefix: "store_ids",
  value: z.strictObject({ at: z.iso.datetime() }),
  key: ["id"],
  owner: "nobody",
  lifetime: ALWAYS,
  per: "store",
});

/** Returns the row that only the store with an id has, and adds it to a store that has none yet. */
export async function proofOf(
  kv: Deno.Kv,
  id: string,
  now: number,
): Promise<Deno.KvEntryMaybe<unknown>> {
  await transact(async () => {
    const entry = await storeIds.get(kv, id);
    if (entry.value !== null) return { result: undefined };
    const commit = kv.atomic();
    storeIds.replace(commit, entry, { at: new Date(now).toISOString() });
    return { result: undefined, commit };
  });
  return await storeIds.get(kv, id);
}

/** Returns the store's marker; null for a store that the site has never opened. */
export const readMarker = async (kv: Deno.Kv): Promise<StoreMarker | null> =>
  (await storeTable.get(kv)).value;

/**
 * Gives a new store its id and its format, in one commit: a store with rows but without a format would be
 * refused. Processes that start at the same time all get the same id.
 */
export const claimStore = (kv: Deno.Kv, now: number): Promise<StoreMarker> =>
  transact(async () => {
    const [marker, format] = await kv.getMany<[StoreMarker, { version: number }]>([
      STORE_KEY,
      FORMAT_KEY,
    ]);
    if (marker.value !== null && format.value !== null) return { result: marker.value };
    const commit = kv.atomic().check(marker, format);
    const result = marker.value ??
      { id: crypto.randomUUID(), created_at: new Date(now).toISOString() };
    if (marker.value === null) commit.set(STORE_KEY, result);
    if (format.value === null) commit.set(FORMAT_KEY, { version: FORMAT });
    return { result, commit };
  });
