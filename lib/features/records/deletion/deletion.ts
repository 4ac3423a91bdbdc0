/** The deletion of a record: closing it, cancelling that, and erasing it with all that it corrects. */
import { canonicalHash } from "../../../../packages/proof/mod.ts";
import { isoAfter, KvBusyError } from "../../../platform/kv/mod.ts";
import { transactAndMail } from "../../../platform/mail/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { formatDateTime } from "../../../base/time.ts";
import { addAccess, type Reader } from "../access_log/access_log.ts";
import { bind } from "../../../base/bind.ts";
import {
  deletions,
  erasedLabels,
  type EraseOptions,
  eraseRecord,
  type Scheduled,
} from "./erase.ts";
import type { Undoers } from "../record/record_data.ts";
import type { WithNotices } from "../notices/notices.ts";
import { DELETION_DELAY_MS } from "../notices/delays.ts";
import { readUndo } from "../notices/undo_links.ts";
import { undoableUntil } from "../notices/replaced_address.ts";
import { addSignOut } from "../sessions/sign_outs.ts";
import {
  NOT_IN_FORCE,
  readCurrentRecord,
  readRecord,
  type RecordEntry,
  type RecordRow,
  recordRows,
  waitsToCorrect,
} from "../record/store.ts";

export interface DeletionOptions
  extends EraseOptions, Pick<WithNotices, "clock" | "mailer" | "notices"> {
  /** Withdraws the correction that waits for a record. */
  withdraw(hash: string): Promise<void>;
  /** Ends the sessions, and what they have given to others: apps, devices, access to documents. */
  finishSignOut(hash: string): Promise<void>;
}

/** A deletion that was refused: `conflict` says why in its message. */
type Refused = Failure<"not_found" | "conflict">;

/** The result of completing a deletion with the link of its notice. */
type Completed =
  | { ok: true }
  | Failure<"not_found" | "expired" | "already_used" | "invalid_request" | "conflict">;

const TOO_LATE = { message: "It is too late: your record is being deleted." };

const REPLACED = { message: "This record was replaced. Open the record that replaces it." };

/** How often a new correction may be entered while a deletion is requested. */
const MAX_WITHDRAWALS = 10;

export type Deletion = ReturnType<typeof createDeletion>;

/** Creates the deletion of records (docs/records.md). */
export function createDeletion(options: DeletionOptions) {
  const undoers: Undoers = {
    cancel_deletion: (commit, { record }) => addCancellation(options.kv, commit, record),
  };
  return {
    undoers,
    /** The labels, on the privacy page, of the data that is erased with a record. */
    erases: erasedLabels(options.tables),
    ...bind(options, {
      request: requestDeletion,
      cancel: cancelDeletion,
      complete: completeDeletion,
      completeDue,
      deleteRecord,
    }),
  };
}

/**
 * Closes a record and schedules its deletion, so that a stolen session cannot destroy it: withdraws
 * a correction that waits, ends every session and what it gave to others, and mails a notice. Its
 * link cancels the deletion, or completes it sooner. Fails with `conflict` for a correction that is
 * not in force and for a record that was replaced.
 *
 * @returns when it will be deleted, ISO 8601 in UTC
 */
async function requestDeletion(
  options: DeletionOptions,
  hash: string,
  reader: Reader,
): Promise<Closed> {
  for (let i = 0; i < MAX_WITHDRAWALS; i++) {
    const closed = await close(options, hash, reader);
    if (closed === null) {
      await options.withdraw(hash);
      continue;
    }
    if (closed.ok) await options.finishSignOut(hash);
    return closed;
  }
  throw new KvBusyError(MAX_WITHDRAWALS);
}

/**
 * Deletes everything that is stored about the person of a record, and of every record that it
 * corrects or that corrects it. The chains remain: they contain no personal data. Fails with
 * `conflict` for a correction that is not in force, and while an address that was replaced can undo
 * that.
 *
 * @param addToCommit adds to the commit that begins the deletion
 * @returns the number of records that were deleted; 0 if only the rest of an earlier deletion was left
 */
async function deleteRecord(
  options: DeletionOptions,
  hash: string,
  addToCommit?: (commit: Deno.AtomicOperation) => void,
): Promise<{ ok: true; deleted: number } | Failure<"conflict">> {
  const refused = await refusal(options, hash);
  if (refused !== null) return refused;
  return { ok: true, deleted: await eraseRelated(options, hash, { addToCommit }) };
}

/**
 * Completes a requested deletion before it is due, for somebody with the link of its notice. Fails
 * with `conflict` while an address that was replaced can undo that.
 *
 * @param digits the last four digits of the record's hash, which the person types to confirm it
 */
async function completeDeletion(
  options: DeletionOptions,
  token: string,
  digits: string,
): Promise<Completed> {
  const link = await readUndo(options, token);
  if (!link.ok) return link;
  if (link.state === "used") return fail("already_used");
  if (link.kind !== "deletion") return fail("not_found");
  if (!isConfirmed(link.hash, digits)) return fail("invalid_request", { message: WRONG_DIGITS });
  const scheduled = await deletions.get(options.kv, link.hash);
  if (scheduled.versionstamp === null) return fail("not_found");
  const refused = await refusal(options, link.hash);
  if (refused !== null) return refused;
  const erased = await eraseRelated(options, link.hash, { scheduled });
  return erased > 0 ? { ok: true } : fail("not_found");
}

/**
 * Completes a deletion that is due or was interrupted; cancels that of a correction that is not in force. Returns
 * false if it was cancelled.
 */
async function completeDue(
  options: DeletionOptions,
  scheduled: Deno.KvEntry<Scheduled>,
): Promise<boolean> {
  const { kv } = options;
  const hash = String(scheduled.key[1]);
  const record = scheduled.value.begun ? null : await readRecord(kv, hash);
  if (record !== null && await waitsToCorrect(kv, record)) {
    const commit = kv.atomic();
    if (await addCancellation(kv, commit, record)) await commit.commit();
    return false;
  }
  return await eraseRelated(options, hash, { scheduled }) > 0;
}

/** Adds the cancellation of a deletion to a commit. Returns false if there is nothing to cancel. */
async function addCancellation(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { hash, entry, contact, row }: RecordEntry,
): Promise<boolean> {
  if (!row.deletion_at) return false;
  const scheduled = await deletions.get(kv, hash);
  if (scheduled.value?.begun) return false;
  commit.check(contact, scheduled).delete(scheduled.key);
  recordRows.replace(commit, entry, { ...row, deletion_at: null });
  return true;
}

/**
 * Erases a record and those that it corrects or that correct it, after it has marked them in one
 * commit.
 *
 * @param begun.scheduled the entry of a deletion that is due; it may have been cancelled since
 * @returns the number of records, 0 if the deletion was cancelled
 */
async function eraseRelated(
  options: DeletionOptions,
  hash: string,
  { scheduled, addToCommit }: {
    scheduled?: Deno.KvEntry<Scheduled>;
    addToCommit?: (commit: Deno.AtomicOperation) => void;
  } = {},
): Promise<number> {
  const { kv, clock } = options;
  const hashes = await relatedRecords(kv, hash);
  const due = new Date(clock()).toISOString();
  const commit = kv.atomic();
  if (scheduled !== undefined) commit.check(scheduled);
  for (const each of hashes) {
    deletions.put(commit, [each], { due, begun: true });
  }
  addToCommit?.(commit);
  if (!(await commit.commit()).ok) return 0;
  let count = 0;
  for (const each of hashes) if (await eraseRecord(options, each)) count++;
  return count;
}

type Closed = { ok: true; at: string } | Refused;

/** Closes a record in one commit. Returns null if a correction has to be withdrawn first. */
function close(
  { kv, clock, mailer, notices }: DeletionOptions,
  hash: string,
  reader: Reader,
): Promise<Closed | null> {
  return transactAndMail<Closed | null>(mailer, async () => {
    const record = await readRecord(kv, hash);
    if (record === null) return { result: fail("not_found") };
    const { row, entry, contact } = record;
    if (row.deletion_at) return { result: { ok: true, at: row.deletion_at } };
    if (row.replaced_by !== null) return { result: fail("conflict", REPLACED) };
    if (await waitsToCorrect(kv, record)) {
      return { result: fail("conflict", { message: NOT_IN_FORCE }) };
    }
    const commit = kv.atomic().check(contact);
    if (row.correction) return { result: null };
    const now = clock();
    const at = isoAfter(now, DELETION_DELAY_MS);
    recordRows.replace(commit, entry, { ...row, deletion_at: at });
    deletions.put(commit, [hash], { due: at, requested_at: isoAfter(now, 0) });
    addSignOut(commit, hash, now);
    addAccess(commit, hash, { what: "deletion_requested", reader }, now);
    const undo = { act: "cancel_deletion" } as const;
    const mails = await notices.add(commit, { record, kind: "deletion", undo, reader }, now);
    return { result: { ok: true, at }, commit, mails };
  });
}

/** Cancels a scheduled deletion for its holder, and mails a notice. */
async function cancelDeletion(
  { kv, clock, mailer, notices }: DeletionOptions,
  hash: string,
  reader: Reader,
): Promise<{ ok: true } | Refused> {
  return await transactAndMail<{ ok: true } | Refused>(mailer, async () => {
    const record = await readRecord(kv, hash);
    if (record === null) return { result: fail("not_found") };
    const commit = kv.atomic();
    if (!await addCancellation(kv, commit, record)) {
      const result = record.row.deletion_at ? fail("conflict", TOO_LATE) : { ok: true as const };
      return { result, commit };
    }
    const now = clock();
    addAccess(commit, hash, { what: "deletion_cancelled", reader }, now);
    const undo = { act: "sign_out" } as const;
    const notice = { record, kind: "deletion_cancelled", undo, reader } as const;
    return { result: { ok: true }, commit, mails: await notices.add(commit, notice, now) };
  });
}

/** Returns why a record must not be erased now; null if it may be. */
async function refusal(
  { kv, clock }: DeletionOptions,
  hash: string,
): Promise<Failure<"conflict"> | null> {
  const record = await readCurrentRecord(kv, hash);
  if (record === null) return null; // a deletion was interrupted
  if (await waitsToCorrect(kv, record)) return fail("conflict", { message: NOT_IN_FORCE });
  const until = await undoableUntil(kv, record, clock());
  return until === null ? null : fail("conflict", {
    message: "The email address of this record was replaced. Until " +
      `${formatDateTime(until)}, the earlier address can undo that, so the record cannot be ` +
      "deleted before then.",
  });
}

/** The message for digits that do not confirm a deletion. */
export const WRONG_DIGITS = "These are not the last four digits of the hash.";

/** Returns whether somebody has typed the last four digits of a record's hash. */
export const isConfirmed = (hash: string, digits: string): boolean =>
  canonicalHash(digits) === hash.slice(-4);

/**
 * Returns a record with every record that it corrects or that corrects it, in any order. The links must
 * agree: a correction that was undone still names the record that it corrected.
 */
async function relatedRecords(kv: Deno.Kv, hash: string): Promise<string[]> {
  const found = new Set([hash]);
  const rowOf = async (of: string) => (await recordRows.get(kv, of)).value;
  const isNext = (row: RecordRow | null, of: string) =>
    row?.replaced_by === of || row?.correction?.to === of;
  for (const each of found) {
    const row = await rowOf(each);
    for (const next of [row?.replaced_by, row?.correction?.to]) if (next) found.add(next);
    if (row?.replaces && isNext(await rowOf(row.replaces), each)) found.add(row.replaces);
  }
  return [...found];
}
