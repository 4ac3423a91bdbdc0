/** The keyed indexes that find records by address, number or word. */
import { z } from "zod";
import { defineTable, untilUsed, WITH_RECORD } from "../../platform/kv/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { contactWords, createWordIndex, type Named, type WordIndex } from "./word_index.ts";

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
  /** Finds records by the words of a name and an organisation. */
  words: WordIndex;
  /**
   * Returns the HMACs with every configured secret that rows of a record may have in their keys. Rows with
   * others were written with a secret that is lost.
   */
  macsOf(contact: IndexedContact): Promise<Set<string>>;
}

/** The part of a contact that finds its record. */
export interface IndexedContact extends Named {
  record: Named["record"] & { email: string; mobile?: string | undefined };
}

/** The key of each row is an HMAC, followed by the hash of the record. */
const index = { value: z.literal(true), key: ["mac", "hash"], owner: "record" } as const;

export const indexTables = {
  email: defineTable({
    ...index,
    prefix: "contacts_by_email",
    lifetime: WITH_RECORD,
    per: "confirmed address",
    privacy: { section: "record", label: "Signing in" },
  }),
  mobile: defineTable({
    ...index,
    prefix: "contacts_by_mobile",
    lifetime: WITH_RECORD,
    per: "confirmed number",
    privacy: [
      { section: "record", label: "Signing in" },
      { section: "codes", label: "Confirmed numbers" },
    ],
  }),
  unconfirmed_email: defineTable({
    ...index,
    prefix: "contacts_by_unconfirmed_email",
    lifetime: untilUsed("until the address is confirmed, or the record is deleted"),
    per: "registration",
    privacy: { section: "enquiry", label: "Confirmation link" },
  }),
};

/** The prefixes of all rows that find a record. Their keys have an HMAC after it, and end with the hash. */
export const INDEX_PREFIXES: readonly string[] = [
  ...Object.values(indexTables).map(({ prefix }) => prefix),
  contactWords.prefix,
];

/** A field that finds a record: its confirmed address or number, or its unconfirmed address. */
export type IndexedField = keyof typeof indexTables;

/** The most records that are found by default: more than one person registers. */
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
  const words = createWordIndex({ kv, secrets });
  return {
    async add(commit, field, value, hash) {
      const [current] = await macs(field, value);
      indexTables[field].put(commit, [current, hash], true);
    },
    async remove(commit, field, value, hash) {
      for (const mac of await macs(field, value)) commit.delete(indexTables[field].key(mac, hash));
    },
    async find(field, value, limit = DEFAULT_LIMIT) {
      const hashes = new Set<string>();
      for (const mac of await macs(field, value)) {
        for await (const { key } of indexTables[field].list(kv, [mac], { limit })) {
          hashes.add(String(key[2]));
        }
      }
      return [...hashes].slice(0, limit);
    },
    words,
    async macsOf(contact) {
      const { email, mobile } = contact.record;
      const found = await Promise.all([
        macs("email", email),
        macs("unconfirmed_email", email),
        mobile === undefined ? [] : macs("mobile", mobile),
        words.macsOf(contact),
      ]);
      return new Set(found.flat());
    },
  };
}
