/** A correction takes effect: the commit after which the corrected record is the holder's. */
import { type Expiring, expiring, isLive, isoAfter, unchecked } from "../../../platform/kv/mod.ts";
import type { StoredContact } from "../../contact/mod.ts";
import { type QueuedMail, transactAndMail } from "../../../platform/mail/mod.ts";
import { addAccess, SITE } from "../access_log/access_log.ts";
import {
  addToIndex,
  correctedBy,
  type CorrectionOptions,
  corrections,
  correctionTimes,
  finishMove,
  removeFromIndex,
} from "./work.ts";
import { declarationsFit } from "../conditions/declaration.ts";
import { deletions } from "../deletion/erase.ts";
import { levelOf } from "../record/levels.ts";
import { isReturn } from "../notices/replaced_address.ts";
import {
  conditionsOf,
  readRecord,
  type RecordEntry,
  type RecordRow,
  recordRows,
  recount,
} from "../record/store.ts";
import { stillWaiting, waitingFor } from "./waiting.ts";

/**
 * Puts a correction in force if nothing is left to confirm. Call it after something was confirmed.
 *
 * @param given the corrected record or the one that it corrects
 */
export async function putInForce(options: CorrectionOptions, given: string): Promise<void> {
  const { kv, mailer } = options;
  const hash = await correctedBy(kv, given);
  await transactAndMail(mailer, async () => {
    const old = await readRecord(kv, hash);
    if (!old?.row.correction || old.row.deletion_at) return { result: undefined };
    const next = await readRecord(kv, old.row.correction.to);
    if (next === null || stillWaiting(old, next) !== null) return { result: undefined };
    const commit = kv.atomic();
    const mails = await replace(options, commit, old, next);
    return { result: undefined, commit, mails };
  });
  await finishMove(options, hash);
}

/** Adds to a commit that a correction takes effect. Returns the mails to send after it. */
async function replace(
  { kv, clock, index, notices }: CorrectionOptions,
  commit: Deno.AtomicOperation,
  old: RecordEntry,
  next: RecordEntry,
): Promise<QueuedMail[]> {
  const now = clock();
  const at = isoAfter(now, 0);
  const contact = { ...next.contact, value: withDeclarations(next, old) };
  const row = rowInForce(old, { ...next, contact }, at);
  const { record: entered } = next.contact.value;
  const returns = await isReturn(kv, old, entered.email, now);
  const replaced: RecordRow = {
    ...old.row,
    counted: null,
    correction: null,
    replaced_by: next.hash,
    replaced_at: at,
    ...returns ? { undo_until: null } : {},
    passkeys: 0,
  };
  commit.check(old.contact, next.contact).set(contact.key, contact.value);
  recordRows.replace(commit, next.entry, row);
  recordRows.replace(commit, old.entry, replaced);
  commit.delete(deletions.key(next.hash));
  corrections.put(commit, [old.hash], {
    state: "moving",
    from: old.hash,
    to: next.hash,
    erase: [],
    undoneSince: null,
  });
  // The limit is per holder, so it moves too: the chain of corrections stays short.
  await copyTimes(kv, commit, old.hash, next.hash, now);
  recount(commit, next, row);
  recount(commit, old, replaced);
  await removeFromIndex(index, commit, old);
  await addToIndex(index, commit, { ...next, row });
  addAccess(commit, next.hash, { what: "corrected", detail: "in force", reader: SITE }, now);
  if (waitingFor(old.contact.value.record, entered) === null) return [];
  // The earlier address can undo it for seven days from now, not from when it was entered.
  const undo = returns ? null : { act: "cancel_correction" } as const;
  const notice = { record: old, kind: "correction_in_force", undo, reader: SITE } as const;
  return await notices.add(commit, notice, now);
}

/** Returns the row of a corrected record from when it is in force. */
function rowInForce(old: RecordEntry, next: RecordEntry, at: string): RecordRow {
  const { mobile } = next.contact.value.record;
  const sameNumber = mobile !== undefined && mobile === old.contact.value.record.mobile;
  const row: RecordRow = {
    ...next.row,
    deletion_at: null, // may have been set by an earlier version
    passkeys: old.row.passkeys + next.row.passkeys,
    mobile_confirmed_at: (sameNumber ? old : next).row.mobile_confirmed_at,
  };
  const level = levelOf(conditionsOf({ contact: next.contact, row }));
  const reached = { ...row.reached };
  for (const each of [2, 3] as const) if (each <= level) reached[each] ??= at;
  return { ...row, level, counted: level, reached };
}

/** Adds to a commit that the corrections of one record count for another one. */
async function copyTimes(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  const entry = await kv.get<Expiring>(correctionTimes.of([from]).key);
  unchecked("A correction that begins changes the row of its record.", entry);
  const { value } = entry;
  if (value === null || !isLive(value, now)) return;
  commit.set(correctionTimes.of([to]).key, value, expiring(value, now));
}

/** Returns a corrected contact with every version of the declaration, in either record. */
function withDeclarations(next: RecordEntry, old: RecordEntry): StoredContact {
  const { value } = next.contact;
  const own = value.declarations ?? [];
  const times = new Set(own.map(({ at }) => at));
  const added = (old.contact.value.declarations ?? []).filter(({ at }) => !times.has(at));
  const declarations = [...own, ...added].sort((a, b) => a.at.localeCompare(b.at));
  return added.length === 0 || !declarationsFit(declarations) ? value : { ...value, declarations };
}
