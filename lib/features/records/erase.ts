import { type ContactIndex, deleteContact } from "../contact/mod.ts";
import type { TableDescription } from "../../platform/kv/mod.ts";
import type { LinkedData } from "./linked.ts";
import { endAllSessions } from "./sessions.ts";
import { removeRow } from "./store.ts";

export interface EraseOptions {
  kv: Deno.Kv;
  index: ContactIndex;
  linked: () => readonly LinkedData[];
  tables: readonly TableDescription[];
}

/** A scheduled deletion, or one in progress, at `["record_deletions", hash]`. */
export interface Scheduled {
  /** ISO 8601 in UTC. */
  due: string;
  /** When the holder requested it. Absent before format 4, and if an administrator deletes. */
  requested_at?: string;
  /** True if it has begun, so that it can no longer be cancelled. */
  begun?: true;
}

export const DELETIONS = "record_deletions";
export const deletionKey = (hash: string): Deno.KvKey => [DELETIONS, hash];

/**
 * Erases everything that is stored about the person of one record. The contact goes first, so that
 * nothing more can be added for it, and the row of a scheduled deletion last, so that the job finishes
 * an erasure that was interrupted.
 *
 * @returns whether there was a contact
 */
export async function eraseRecord(
  { kv, index, linked, tables }: EraseOptions,
  hash: string,
): Promise<boolean> {
  const existed = await deleteContact(
    { kv, index },
    hash,
    (commit, contact) => removeRow(kv, commit, hash, contact),
  );
  await endAllSessions(kv, hash);
  for (const each of linked()) await each.deleteOf?.(hash);
  // From the highest feature down, so that the access log goes after what could still write to it.
  const owned = tables.filter(({ owner }) => owner === "record");
  for (const table of owned.toReversed()) await table.deleteOf(kv, hash);
  await kv.delete(deletionKey(hash));
  return existed;
}
