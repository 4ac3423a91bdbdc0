import type { Secrets } from "../../base/secrets.ts";

/** A field that finds a record: its confirmed address or number, or its unconfirmed address. */
export type IndexedField = "email" | "mobile" | "unconfirmed_email";

/**
 * Finds records by an email address or a confirmed mobile number. The keys contain an HMAC, because a
 * bare hash of an address or number can be reversed by trying them all.
 */
export interface ContactIndex {
  /** Adds a record to the index, in the commit that registers or confirms the address or number. */
  add(
    commit: Deno.AtomicOperation,
    field: IndexedField,
    value: string,
    hash: string,
  ): Promise<void>;
  /** Removes a record from the index, under every configured secret. */
  remove(
    commit: Deno.AtomicOperation,
    field: IndexedField,
    value: string,
    hash: string,
  ): Promise<void>;
  /** Returns the hashes of the records with this address or number, at most `limit`. */
  find(field: IndexedField, value: string, limit?: number): Promise<string[]>;
}

const PREFIXES: Record<IndexedField, string> = {
  email: "contacts_by_email",
  mobile: "contacts_by_mobile",
  unconfirmed_email: "contacts_by_unconfirmed_email",
};

/** More records than one person registers. */
const DEFAULT_LIMIT = 20;

/**
 * Creates the index.
 *
 * @example
 * ```ts
 * await index.add(commit, "email", "ada@example.org", hash);
 * await index.find("email", "ada@example.org"); // [hash]
 * ```
 */
export function createContactIndex(
  { kv, secrets }: { kv: Deno.Kv; secrets: Secrets },
): ContactIndex {
  const macs = (field: IndexedField, value: string) =>
    secrets.signatures("contact-index", `${field}:${value}`);
  return {
    async add(commit, field, value, hash) {
      const [current] = await macs(field, value);
      commit.set([PREFIXES[field], current, hash], true);
    },
    async remove(commit, field, value, hash) {
      for (const mac of await macs(field, value)) commit.delete([PREFIXES[field], mac, hash]);
    },
    async find(field, value, limit = DEFAULT_LIMIT) {
      const hashes = new Set<string>();
      for (const mac of await macs(field, value)) {
        for await (const { key } of kv.list({ prefix: [PREFIXES[field], mac] }, { limit })) {
          hashes.add(String(key[2]));
        }
      }
      return [...hashes].slice(0, limit);
    },
  };
}
