/** A correction is withdrawn or undone: the record before it is in force again. */
import type { Declaration, StoredContact } from "../../contact/mod.ts";
import { apart, isoAfter, transact, unchecked } from "../../../platform/kv/mod.ts";
import type { QueuedMail } from "../../../platform/mail/mod.ts";
import { addAccess, type Reader, SITE } from "../access_log/access_log.ts";
import {
  addToIndex,
  correctedBy,
  type CorrectionOptions,
  corrections,
  finishMove,
  removeFromIndex,
} from "./work.ts";
import { declarationsFit } from "../conditions/declaration.ts";
import { deletions } from "../deletion/erase.ts";
import { levelOf } from "../record/levels.ts";
import type { Undoer } from "../record/record_data.ts";
import { IN_CHAIN, RENEWED_MS, replacedAddresses } from "../notices/replaced_address.ts";
import {
  conditionsOf,
  readRecord,
  type RecordEntry,
  type RecordRow,
  recordRows,
  recount,
} from "../record/store.ts";
import { UNDO_LIFETIME_MS } from "../notices/delays.ts";

/**
 * Withdraws a correction that is not in force yet.
 *
 * @param given the corrected record or the one that it corrects
 * @param reader null for a correction that lapses or is replaced, which is not logged
 */
export async function withdraw(
  options: CorrectionOptions,
  given: string,
  reader: Reader | null,
): Promise<void> {
  const { kv, clock } = options;
  const hash = await correctedBy(kv, given);
  await transact(async () => {
    const old = await readRecord(kv, hash);
    if (!old?.row.correction) return { result: undefined };
    const commit = kv.atomic();
    if (!await restore(options, commit, old, false)) return { result: undefined };
    if (reader !== null) {
      addAccess(commit, hash, { what: "corrected", detail: "withdrawn", reader }, clock());
    }
    return { result: undefined, commit };
  });
  // It may move the session of the request, which must remain checked if something else follows.
  await finishMove(options, hash);
}

/**
 * Adds to a commit that a record is in force again: every record that corrects it will be erased.
 * Data added to them in the meantime is dropped if it gives access, and moved otherwise.
 *
 * @param signOut true if the correction is undone, because somebody else may have made it
 */
async function restore(
  options: CorrectionOptions,
  commit: Deno.AtomicOperation,
  old: RecordEntry,
  signOut: boolean,
): Promise<boolean> {
  const { kv, index } = options;
  const later = await recordsAfter(kv, old);
  // A correction that waits has nothing yet: the record before it has everything.
  const last = later.findLast(({ hash }, i) => i === 0 || later[i - 1].row.replaced_by === hash);
  if (last === undefined) return false;
  const deletion = await deletions.get(kv, old.hash);
  if (deletion.value?.begun) return false;
  for (const { contact, entry } of later) {
    if (contact !== last.contact) unchecked(IN_CHAIN, contact, entry);
  }
  // A move may have been interrupted.
  for (const { hash } of [old, ...later]) {
    await apart("A move has commits of its own.", () => finishMove(options, hash));
  }
  const contact = { ...old.contact, value: declarationsAfter(old, last) };
  const { replaced_at: _, undo_until: __, ...before } = old.row;
  const row: RecordRow = {
    ...before,
    correction: null,
    replaced_by: null,
    passkeys: old.row.passkeys + last.row.passkeys,
    mobile_confirmed_at: numberAfter(old, last),
  };
  row.level = levelOf(conditionsOf({ contact, row }));
  row.counted = row.level;
  recount(commit, old, row);
  commit.check(old.contact, last.contact, last.entry, deletion).set(contact.key, contact.value);
  recordRows.replace(commit, old.entry, row);
  corrections.put(commit, [old.hash], {
    state: "moving",
    from: last.hash,
    to: old.hash,
    erase: later.map(({ hash }) => hash),
    undoneSince: later[0].contact.value.registered_at,
    signOut,
  });
  for (const each of later) {
    commit.delete(deletions.key(each.hash));
    await removeFromIndex(index, commit, each);
  }
  await addToIndex(index, commit, { ...old, row });
  return true;
}

/** Returns the records that correct a record, in order, including one that is not in force. */
async function recordsAfter(kv: Deno.Kv, { row }: RecordEntry): Promise<RecordEntry[]> {
  const later: RecordEntry[] = [];
  let next = row.replaced_by ?? row.correction?.to;
  while (next) {
    const record = await readRecord(kv, next);
    if (record === null) break;
    later.push(record);
    next = record.row.replaced_by ?? record.row.correction?.to;
  }
  return later;
}

/** Creates the function that undoes a correction with the link of a notice. */
export const createUndoCorrection =
  (options: CorrectionOptions): Undoer<"cancel_correction"> =>
  async (commit, { record, mails, now }) => {
    const { kv } = options;
    const later = await recordsAfter(kv, record);
    if (await wasReturned(kv, record, later, now)) return false;
    if (!await restore(options, commit, record, true)) return false;
    mails.push(...await addUndoneNotices(options, commit, record, later, now));
    return true;
  };

/**
 * Returns whether a record was returned to an address before its own. Its links, also those of
 * earlier notices, must not take it back.
 */
async function wasReturned(
  kv: Deno.Kv,
  record: RecordEntry,
  later: readonly RecordEntry[],
  now: number,
): Promise<boolean> {
  const returned = later.filter((_, i) => [record, ...later][i].row.undo_until === null);
  if (returned.length === 0) return false;
  const own = emailOf(record);
  const before = await replacedAddresses(kv, record, now);
  for (const { record: { contact, entry } } of before) unchecked(IN_CHAIN, contact, entry);
  const earlier = before.map(({ record }) => emailOf(record));
  return returned.some((each) => emailOf(each) !== own && earlier.includes(emailOf(each)));
}

/** The most addresses that get new links, the oldest of them: a commit has at most nine checks. */
const MOST_RENEWED = 3;

/**
 * Adds the notices of an undone correction to its commit: to the confirmed addresses of the records
 * that are erased, and to the addresses before the restored one. The latter can take the record back
 * for seven days, even if their own links have expired.
 */
async function addUndoneNotices(
  { kv, notices }: CorrectionOptions,
  commit: Deno.AtomicOperation,
  record: RecordEntry,
  erased: readonly RecordEntry[],
  now: number,
): Promise<QueuedMail[]> {
  const own = emailOf(record);
  const inForce = erased.filter((_, i) => [record, ...erased][i].row.replaced_by !== null);
  const mails: QueuedMail[] = [];
  const notified = new Set<string>();
  const before = inForce.some((each) => emailOf(each) !== own)
    ? await replacedAddresses(kv, record, now)
    : [];
  const renewed = before.filter(({ record: earlier, at, until }) =>
    until !== null && at + RENEWED_MS > now && emailOf(earlier) !== own
  ).slice(-MOST_RENEWED);
  for (const { record: earlier } of before) unchecked(IN_CHAIN, earlier.contact);
  for (const { record: earlier } of before.filter((each) => !renewed.includes(each))) {
    unchecked(IN_CHAIN, earlier.entry);
  }
  for (const { record: earlier } of renewed) {
    const undo_until = isoAfter(now, UNDO_LIFETIME_MS);
    // The row is deleted together with the contact.
    recordRows.replace(commit, earlier.entry, { ...earlier.row, undo_until });
    const undo = { act: "cancel_correction" } as const;
    const notice = { record: earlier, kind: "correction_undone", undo } as const;
    mails.push(...await notices.add(commit, { ...notice, reader: SITE }, now));
    notified.add(emailOf(earlier));
  }
  for (const each of erased) {
    const to = emailOf(each);
    if (each.contact.value.confirmed_at === null || notified.has(to)) continue;
    notified.add(to);
    // About the restored record, because mails about an erased one are not sent.
    const notice = { record, to, kind: "correction_undone", undo: null, reader: SITE } as const;
    mails.push(...await notices.add(commit, notice, now));
  }
  return mails;
}

const emailOf = ({ contact }: RecordEntry): string => contact.value.record.email;

/**
 * Returns when the number of a record was confirmed, if it still is after its corrections are undone:
 * somebody may have ended that in the meantime.
 */
function numberAfter(old: RecordEntry, last: RecordEntry): string | null {
  const { mobile } = old.contact.value.record;
  const same = old.row.replaced_by !== null && last.contact.value.record.mobile === mobile;
  return same && last.row.mobile_confirmed_at === null ? null : old.row.mobile_confirmed_at;
}

/** Returns a contact after its corrections are undone, without declarations that were withdrawn since. */
function declarationsAfter(old: RecordEntry, last: RecordEntry): StoredContact {
  const { value } = old.contact;
  if (old.row.replaced_by === null || value.declarations === undefined) return value;
  const later = last.contact.value.declarations ?? [];
  const isIn = ({ at }: Declaration) => later.some((each) => each.at === at);
  const missing = value.declarations.filter((each) => !isIn(each));
  // Declarations that did not fit into the corrected record were not withdrawn.
  if (!declarationsFit([...later, ...missing])) return value;
  return { ...value, declarations: value.declarations.filter(isIn) };
}
