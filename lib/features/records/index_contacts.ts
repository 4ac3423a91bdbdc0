import {
  changeRegistrations,
  type ContactIndex,
  contactTimeKey,
  contactTimes,
  countLevel,
  countRegistration,
  ownerOf,
  registrationOf,
  type StoredContact,
} from "../contact/mod.ts";
import { transact, unchecked } from "../../platform/kv/mod.ts";
import type { Migration, Step } from "../../platform/store/mod.ts";
import { readRecord, type RecordEntry, recordRows } from "./store.ts";

/** How many contacts are indexed before the progress is saved. */
const BATCH = 100;
/** How many contacts one commit indexes: each needs up to three of the nine checks that a commit may have. */
const PER_COMMIT = 3;
/** How many commits run at once: requests that the site serves meanwhile wait for them. */
const COMMITS = 4;

/** Indexes records by their confirmed address and number, by their words and by time, and counts them. */
export const indexContactsMigration = (
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
): Migration => ({
  name: "contacts",
  label: "addresses and numbers of records",
  format: 2,
  rotates: true,
  before: "without the index, nobody can sign in to a record, and nothing can be counted",
  step: contactStep(kv, (hashes) => indexContacts({ kv, index }, hashes)),
});

/**
 * Runs a commit for every few records, and few of the commits at once. The cursor is the hash of the last
 * record.
 */
export const contactStep = (
  kv: Deno.Kv,
  run: (hashes: readonly string[]) => Promise<void>,
): Step => ({
  // Hashes are spread evenly.
  share: (cursor) => parseInt(cursor.slice(0, 8), 16) / 2 ** 32,
  async batch(cursor) {
    const hashes = await contactsAfter(kv, cursor);
    for (const some of chunksOf(hashes, COMMITS * PER_COMMIT)) {
      await Promise.all(chunksOf(some, PER_COMMIT).map(run));
    }
    return { indexed: hashes.length, next: hashes.length < BATCH ? null : hashes.at(-1)! };
  },
});

const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from(
    { length: Math.ceil(items.length / size) },
    (_, i) => items.slice(i * size, (i + 1) * size),
  );

/** Returns the hashes of the next records after one. */
async function contactsAfter(kv: Deno.Kv, hash: string): Promise<string[]> {
  // This is the smallest key after `hash`, because `start` includes its key.
  const selector = { prefix: ["contacts"], start: ["contacts", `${hash}\0`] };
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
  const listed = await contactTimes.get(kv, ...contactTimeKey(hash, contact.value));
  unchecked("An index changes only with its contact.", listed);
  const isCounted = listed.value?.counted !== undefined;
  // Before records were counted, they were indexed only while nothing else could change.
  const inForce = await isInForce(kv, record, isCounted ? commit : undefined);
  if (!isCounted) {
    commit.check(listed);
    countRecord(commit, record, inForce);
  }
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

/** Adds a record from before records were counted to the index by time and to the counters. */
function countRecord(
  commit: Deno.AtomicOperation,
  { hash, contact: { value: contact }, entry, row }: RecordEntry,
  inForce: boolean,
): void {
  const counted = row.replaces === null;
  contactTimes.put(commit, contactTimeKey(hash, contact), { counted });
  changeRegistrations(commit, ownerOf(contact));
  if (counted) countRegistration(commit, ownerOf(contact), registrationOf(contact), 1);
  const level = inForce ? row.level : null;
  countLevel(commit, ownerOf(contact), null, level);
  if (entry.versionstamp !== null) recordRows.put(commit, [hash], { ...row, counted: level });
}

/**
 * Returns whether a record was not corrected, and is not a correction that waits for the holder.
 *
 * @param commit checks that the record which it corrects stays the same
 */
export async function isInForce(
  kv: Deno.Kv,
  { hash, row }: RecordEntry,
  commit?: Deno.AtomicOperation,
): Promise<boolean> {
  if (row.replaced_by !== null) return false;
  const corrected = row.replaces === null ? null : await readRecord(kv, row.replaces);
  if (corrected !== null) commit?.check(corrected.entry);
  return corrected?.row.correction?.to !== hash;
}
