/** Erasing one record, and the rows of deletions in progress. */
import { z } from "zod";
import { type ContactIndex, deleteContact } from "../../contact/mod.ts";
import { inDays } from "../../../base/time.ts";
import { defineTable, type TableDescription, untilUsed } from "../../../platform/kv/mod.ts";
import type { RecordData } from "../record/record_data.ts";
import { holderSessions } from "../sessions/table.ts";
import { removeRow } from "../record/store.ts";
import { DELETION_DELAY_MS } from "../notices/delays.ts";

const DELAY = inDays(DELETION_DELAY_MS);

/** A scheduled deletion, or one in progress. */
const scheduled = z.strictObject({
  /** ISO 8601 in UTC. */
  due: z.iso.datetime(),
  /** When the holder requested it. Absent if an administrator deletes. */
  requested_at: z.iso.datetime().optional(),
  /** True if it has begun, so that it can no longer be cancelled. */
  begun: z.literal(true).optional(),
});

export type Scheduled = z.infer<typeof scheduled>;

/** The deletions that wait, by the hash of the record. */
export const deletions = defineTable({
  prefix: "record_deletions",
  value: scheduled,
  key: ["hash"],
  owner: "record",
  lifetime: untilUsed(DELAY),
  due: { when: ({ due }, now) => now >= Date.parse(due), nightly: false },
  per: "requested deletion",
  privacy: {
    section: "record",
    label: "Deletion",
    text: "When you delete your record, it is closed at once and deleted after " +
      `${DELAY}. Until then you can cancel the deletion, in case it was someone ` +
      "else who requested it, or complete it with the link in our email. Of the request, we store " +
      "its time.",
  },
});

/** If there are fewer deletions than this, which is usual, one list finds them all. */
const MOST_LISTED = 30;

/** Returns the hashes of those records whose deletion is scheduled or in progress. */
export async function deletedAmong(
  kv: Deno.Kv,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const listed = await Array.fromAsync(deletions.list(kv, [], { limit: MOST_LISTED }));
  const rows = listed.length < MOST_LISTED
    ? listed
    : await deletions.getMany(kv, hashes.map((hash) => [hash]));
  return new Set(rows.map(({ key }) => String(key[1])).filter((hash) => hashes.includes(hash)));
}

export interface EraseOptions {
  kv: Deno.Kv;
  index: ContactIndex;
  recordData: () => readonly RecordData[];
  tables: readonly TableDescription[];
}

/** Returns the tables whose rows are erased with a record. */
const erasedTables = (tables: readonly TableDescription[]): TableDescription[] =>
  tables.filter(({ owner }) => owner === "record");

/** Returns what is erased with a record, by the labels of the privacy page. */
export const erasedLabels = (tables: readonly TableDescription[]): string[] => [
  ...new Set(erasedTables(tables).flatMap(({ privacy }) => privacy.map(({ label }) => label))),
];

/**
 * Erases everything that is stored about the person of one record. The contact goes first, so that
 * nothing more can be added for it, and the row of a scheduled deletion last, so that the job finishes
 * an erasure that was interrupted.
 *
 * @returns whether there was a contact
 */
export async function eraseRecord(
  { kv, index, recordData, tables }: EraseOptions,
  hash: string,
): Promise<boolean> {
  const existed = await deleteContact(
    { kv, index },
    hash,
    (commit, contact) => removeRow(kv, commit, hash, contact),
  );
  await holderSessions.deleteOf(kv, hash);
  for (const each of recordData()) await each.deleteOf?.(hash);
  // From the highest feature down, so that the access log goes after what could still write to it.
  for (const table of erasedTables(tables).toReversed()) await table.deleteOf(kv, hash);
  await kv.delete(deletions.key(hash));
  return existed;
}
