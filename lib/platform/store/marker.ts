import { z } from "zod";
import { ALWAYS, defineTable } from "../kv/mod.ts";

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

export const storeTable = defineTable({
  prefix: "store",
  value: storeMarker,
  owner: "nobody",
  lifetime: ALWAYS,
  per: "store",
});

export const STORE_KEY: Deno.KvKey = storeTable.key();

/** Returns the store's marker; null for a store that the site has never opened, or has not opened since markers were introduced. */
export const readMarker = async (kv: Deno.Kv): Promise<StoreMarker | null> =>
  (await storeTable.get(kv)).value;

/** Writes the marker of a new store. Processes that start at the same time all get the same one. */
export async function createMarker(kv: Deno.Kv, now: number): Promise<StoreMarker> {
  const marker = { id: crypto.randomUUID(), created_at: new Date(now).toISOString() };
  const { ok } = await kv.atomic().check({ key: STORE_KEY, versionstamp: null }).set(
    STORE_KEY,
    marker,
  ).commit();
  return ok ? marker : (await readMarker(kv))!;
}

export async function isEmpty(kv: Deno.Kv): Promise<boolean> {
  const entries = await Array.fromAsync(kv.list({ prefix: [] }, { limit: 1 }));
  return entries.length === 0;
}
