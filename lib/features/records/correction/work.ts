/** The moves between records that a correction begins, which a job finishes if a process dies. */
import { z } from "zod";
import { CONFIRMATION_LIFETIME_MS, type ContactIndex } from "../../contact/mod.ts";
import { asSite, defineLimit, defineTable, untilUsed } from "../../../platform/kv/mod.ts";
import { DAY_MS, inDays } from "../../../base/time.ts";
import { moveAccessLog } from "../access_log/access_log.ts";
import { type EraseOptions, eraseRecord } from "../deletion/erase.ts";
import type { WithNotices } from "../notices/notices.ts";
import { leaveCorrection, moveSessions } from "../sessions/move.ts";
import { holderSessions } from "../sessions/table.ts";
import { readRecord, type RecordEntry } from "../record/store.ts";

export type CorrectionOptions =
  & EraseOptions
  & Pick<
    WithNotices,
    "clock" | "chains" | "contact" | "mailer" | "notices" | "surfaces" | "organisations"
  >;

/** A correction that waits, or a move of everything from one record to another that is in progress. */
const correctionWork = z.discriminatedUnion("state", [
  z.strictObject({
    state: z.literal("waiting"),
    to: z.string(),
    /** ISO 8601 in UTC. */
    until: z.iso.datetime(),
  }),
  z.strictObject({
    state: z.literal("moving"),
    from: z.string(),
    to: z.string(),
    /** The records that it leaves empty, which are erased. */
    erase: z.array(z.string()),
    /**
     * When the correction was entered, if it is withdrawn, lapses or is undone. Whatever has given
     * access to the record since then is not moved.
     */
    undoneSince: z.iso.datetime().nullable(),
    /** True if all sessions end, because the correction was undone. Absent in earlier rows. */
    signOut: z.boolean().optional(),
  }),
]);

export type CorrectionWork = z.infer<typeof correctionWork>;

/** The corrections in progress, by the record that is corrected. */
export const corrections = defineTable({
  prefix: "record_corrections",
  value: correctionWork,
  key: ["hash"],
  owner: { record: "hash" },
  lifetime: untilUsed("until the correction has taken effect or was withdrawn", "corrections"),
  per: "correction",
  privacy: {
    section: "record",
    label: "Corrections",
    text:
      "A correction is a new record. We keep the earlier one, so that you can still prove what " +
      "it said, and delete both together. A correction that is not confirmed is deleted after " +
      `${inDays(CONFIRMATION_LIFETIME_MS)}.`,
  },
});

/** Corrections per record and day, because each may send a mail to any address. */
export const CORRECTIONS_PER_DAY = 5;

export const correctionTimes = defineLimit({
  name: "record_correction_times",
  limit: CORRECTIONS_PER_DAY,
  windowMs: DAY_MS,
  owner: "record",
  per: "corrected record",
  privacy: { section: "record", label: "Limits" },
});

/** Returns the record that a correction changes, given either of the two. */
export async function correctedBy(kv: Deno.Kv, hash: string): Promise<string> {
  const record = await readRecord(kv, hash);
  return record?.row.correction ? hash : record?.row.replaces ?? hash;
}

/**
 * Finishes a move that a commit has started, if there is one. It can run again after a crash. It acts as the site,
 * because it also moves the session of the request that has started it.
 */
export const finishMove = (options: CorrectionOptions, hash: string): Promise<void> =>
  asSite(() => move(options, hash));

async function move(options: CorrectionOptions, hash: string): Promise<void> {
  const { kv, clock, recordData, tables } = options;
  const { value: work } = await corrections.get(kv, hash);
  if (work?.state !== "moving") return;
  const { from, to, erase, undoneSince, signOut = undoneSince !== null } = work;
  if (signOut) {
    for (const each of [from, ...erase]) await holderSessions.deleteOf(kv, each);
  }
  if (undoneSince === null) await moveSessions(kv, from, to, clock());
  else await leaveCorrection(kv, from, to, clock());
  await Promise.all(recordData().map((each) => each.move?.(from, to, undoneSince ?? undefined)));
  const moving = tables.filter(({ moves }) => moves);
  await Promise.all(moving.map((table) => table.move(kv, from, to, clock())));
  await moveAccessLog(kv, from, to, clock());
  for (const each of erase) await eraseRecord(options, each);
  await kv.delete(corrections.key(hash));
}

/** Adds the index entries of a record to a commit. */
export async function addToIndex(
  index: ContactIndex,
  commit: Deno.AtomicOperation,
  { hash, contact, row }: Omit<RecordEntry, "entry">,
): Promise<void> {
  const { record, confirmed_at } = contact.value;
  if (confirmed_at !== null) await index.add(commit, "email", record.email, hash);
  if (row.mobile_confirmed_at !== null && record.mobile !== undefined) {
    await index.add(commit, "mobile", record.mobile, hash);
  }
  await index.words.add(commit, hash, contact.value);
}

/** Adds the removal of the index entries of a record to a commit. */
export async function removeFromIndex(
  index: ContactIndex,
  commit: Deno.AtomicOperation,
  { hash, contact: { value } }: RecordEntry,
): Promise<void> {
  const { email, mobile } = value.record;
  await index.remove(commit, "email", email, hash);
  if (mobile !== undefined) await index.remove(commit, "mobile", mobile, hash);
  await index.words.remove(commit, hash, value);
}
