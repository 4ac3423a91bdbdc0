/** The row `["store"]`, which identifies a store. Times are ISO 8601 in UTC. */
export interface StoreMarker {
  id: string;
  created_at: string;
  /** Set in a copy until `deno task chain:reconcile` removes it. */
  restored?: Restored;
}

export interface Restored {
  /** When the copy was taken. */
  exported_at: string;
  /** When it was imported; null for a copied file. */
  imported_at: string | null;
  /** The host of the trust surface that signed the chains. */
  trust_host: string;
}

export const STORE_KEY: Deno.KvKey = ["store"];

/** Returns the store's marker; null for a store that the site has never opened, or has not opened since markers were introduced. */
export const readMarker = async (kv: Deno.Kv): Promise<StoreMarker | null> =>
  (await kv.get<StoreMarker>(STORE_KEY)).value;

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
