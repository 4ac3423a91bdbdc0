import { transact } from "../kv/mod.ts";
import { confirmationKey } from "./confirmations.ts";
import { contactKey, type StoredContact } from "./contacts.ts";

/**
 * Deletes who made an enquiry: all that was entered, the salt, and the link that confirms the email
 * address. The chain stays, and says nothing of a person: without the salt nobody can test a guess
 * against its hash (standard, "Opening the commitment").
 *
 * @param hash the record's
 * @returns false where nobody is kept under it (any more)
 */
export function deleteContact(kv: Deno.Kv, hash: string): Promise<boolean> {
  return transact(async () => {
    const entry = await kv.get<StoredContact>(contactKey(hash));
    if (entry.value === null) return { result: false };
    const commit = kv.atomic().check(entry)
      .delete(entry.key)
      .delete(confirmationKey(entry.value.confirmation));
    return { result: true, commit };
  });
}

/**
 * The records that somebody made, by their hashes.
 *
 * @param email normalised
 */
export async function recordsOf(kv: Deno.Kv, email: string): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { key, value } of kv.list<StoredContact>({ prefix: ["contacts"] })) {
    if (value.record.email === email) hashes.push(String(key[1]));
  }
  return hashes;
}
