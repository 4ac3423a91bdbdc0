import { isSameMailbox } from "../../../base/email.ts";
import { unchecked } from "../../../platform/kv/mod.ts";
import { readRecord, type RecordEntry } from "../record/store.ts";

/**
 * Returns the session that a new one goes on with, and whether that has the same mailbox as a record; null if there is
 * none, or if its own record was corrected or erased.
 */
export async function readKept<Session extends { record: string | null; choices: string[] }>(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  before: Session,
  to: RecordEntry,
): Promise<{ session: Session; isSame: boolean } | null> {
  const record = await readRecord(kv, before.record ?? before.choices[0]);
  if (record === null) return null;
  const { contact, entry, row } = record;
  unchecked("The data of a contact never change.", contact);
  commit.check(entry);
  if (row.replaced_by !== null) return null;
  const [own, other] = [contact, to.contact].map(({ value }) => value.record.email);
  return {
    session: before,
    isSame: contact.value.confirmed_at !== null && isSameMailbox(own, other),
  };
}
