/** The row `["store"]`. Times are ISO 8601 in UTC. */
export interface StoreRow {
  id: string;
  created_at: string;
  /** Set in a copy until its chains have been reconciled. */
  restored?: Restored;
}

export interface Restored {
  /** When the copy was taken. */
  exported_at: string;
  /** When it was imported; null for a copied file. */
  imported_at: string | null;
  /** The host that signed the chains. */
  trust_host: string;
}

export const STORE_KEY: Deno.KvKey = ["store"];
