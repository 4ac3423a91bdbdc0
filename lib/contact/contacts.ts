import type { Enquiry } from "./submission.ts";

/**
 * What is kept of who made an enquiry (design, section 6): the personal data is here and nowhere
 * else in the store. Times are ISO 8601 in UTC.
 */
export interface StoredContact {
  /** The record, as it was hashed. */
  record: Enquiry;
  /** Of the record's hash, 64 hexadecimal digits: as private as the record. */
  salt: string;
  registered_at: string;
  confirmed_at: string | null;
  /** SHA-256 of the token that confirms the email address. */
  confirmation: string;
}

/** @param hash the record's */
export const contactKey = (hash: string): Deno.KvKey => ["contacts", hash];

/** Reads who made an enquiry, or null. */
export async function readContact(kv: Deno.Kv, hash: string): Promise<StoredContact | null> {
  return (await kv.get<StoredContact>(contactKey(hash))).value;
}
