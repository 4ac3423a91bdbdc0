/** Writes the index entries of all records again, with the current secret. */
import type { ContactIndex, StoredContact } from "../../contact/mod.ts";
import { keyAfter, transact } from "../../../platform/kv/mod.ts";
import type { Migration } from "../../../platform/store/mod.ts";
import { readRecord, type RecordEntry, waitsToCorrect } from "../record/store.ts";

/** How many contacts are indexed before the progress is saved. */
const BATCH = 100;
/** How many contacts one commit indexes: each has up to 30 words, whose keys with every secret must fit into it. */
const PER_COMMIT = 3;
/** How many commits run at once: requests that the site serves meanwhile wait for them. */
const COMMITS = 4;

/**
 * Indexes records by their confirmed address and number and by their words with the current secret. It runs a
 * commit for every few records, and few of the commits at once. The cursor is the hash of the last record.
 */
export const indexContactsMigration = (
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
): Migration => ({
  name: "contacts",
  label: "addresses and numbers of records",
  rotates: true,
  beside: "records are found with both secrets",
  step: {
    // Hashes are spread evenly.
    share: (cursor) => parseInt(cursor.slice(0, 8), 16) / 2 ** 32,
    async batch(cursor) {
      const hashes = await contactsAfter(kv, cursor);
      for (const some of chunksOf(hashes, COMMITS * PER_COMMIT)) {
        const commits = chunksOf(some, PER_COMMIT);
        await Promise.all(commits.map((each) => indexContacts({ kv, index }, each)));
      }
      return { indexed: hashes.length, next: hashes.length < BATCH ? null : hashes.at(-1)! };
    },
  },
});

const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from(
    { length: Math.ceil(items.length / size) },
    (_, i) => items.slice(i * size, (i + 1) * size),
  );

/** Returns the hashes of the next records after one. */
async function contactsAfter(kv: Deno.Kv, hash: string): Promise<string[]> {
  const selector = { prefix: ["contacts"], start: keyAfter(["contacts", hash]) };
  const entries = await Array.fromAsync(kv.list<StoredContact>(selector, { limit: BATCH }));
  return entries.map(({ key }) => String(key[1]));
}

/** Indexes contacts with the current secret, and removes their entries with older ones. */
function indexContacts(
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
  hashes: readonly string[],
): Promise<void> {
  return transact(async () => {
    const commit = kv.atomic();
    const records = await Promise.all(hashes.map((hash) => readRecord(kv, hash)));
    for (const record of records) {
      if (record !== null) await addContact({ kv, index }, commit, record);
    }
    return { result: undefined, commit };
  });
}

async function addContact(
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
  commit: Deno.AtomicOperation,
  record: RecordEntry,
): Promise<void> {
  const { hash, contact, entry, row } = record;
  const { email, mobile } = contact.value.record;
  commit.check(contact, entry);
  await index.remove(commit, "email", email, hash);
  // Putting a correction in force changes its own row, and withdrawing it erases it.
  const inForce = row.replaced_by === null && !await waitsToCorrect(kv, record);
  await index.remove(commit, "unconfirmed_email", email, hash);
  if (inForce) {
    const field = contact.value.confirmed_at === null ? "unconfirmed_email" : "email";
    await index.add(commit, field, email, hash);
  }
  if (mobile !== undefined) {
    await index.remove(commit, "mobile", mobile, hash);
    const hasMobile = inForce && row.mobile_confirmed_at !== null;
    if (hasMobile) await index.add(commit, "mobile", mobile, hash);
  }
  await index.words.remove(commit, hash, contact.value, inForce ? "older" : "all");
  if (inForce) await index.words.add(commit, hash, contact.value);
}
