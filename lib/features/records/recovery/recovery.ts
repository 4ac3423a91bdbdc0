/** Recoveries by an administrator, for holders who have lost every way to sign in. */
import { addAudit } from "../../audit/mod.ts";
import { maskEmail, ownerOf } from "../../contact/mod.ts";
import { bind } from "../../../base/bind.ts";
import { utf8 } from "../../../base/encoding.ts";
import { type Job, sweepRows } from "../../../platform/jobs/mod.ts";
import { isoAfter, transact } from "../../../platform/kv/mod.ts";
import { transactAndMail } from "../../../platform/mail/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { MINUTE_MS } from "../../../base/time.ts";
import { addAccess, type Reader } from "../access_log/access_log.ts";
import type { RecordData } from "../record/record_data.ts";
import { readExisting, readRecord, waitsToCorrect } from "../record/store.ts";
import { RECOVERY_DELAY_MS } from "../notices/delays.ts";
import { findRecoveryLink, isDue, sendLink } from "./link.ts";
import { moveOrEnd } from "./move.ts";
import {
  addCancellation,
  recoveries,
  type RecoveriesOptions,
  type RecoveryRow,
  ROW_LIFETIME_MS,
} from "./table.ts";

/** A recovery as the console and the holder see it. */
export type Recovery = Omit<RecoveryRow, "address" | "link">;

export interface NewRecovery {
  hash: string;
  /** The normalised address. */
  newEmail: string;
  /** The administrator's email address. */
  by: string;
  /** How the administrator checked who the holder is. */
  note: string;
  /** Where the administrator's request came from. */
  reader: Reader;
}

type Started =
  | { ok: true; dueAt: string }
  | Failure<"not_found" | "unconfirmed" | "conflict" | "unavailable">;

const FAILURES = {
  unavailable: { message: "Records cannot be opened here." },
  not_found: { message: "There is no such record." },
  unconfirmed: {
    message: "The email address of this record was never confirmed, so nobody has signed in to it.",
  },
  conflict: { message: "A recovery of this record is already open." },
  replaced: {
    message: "This record was replaced. Start the recovery on the record that replaces it.",
  },
  waiting: {
    message:
      "This is a correction that is not in force. Start the recovery on the record that it " +
      "corrects.",
  },
};

export type Recoveries = ReturnType<typeof createRecoveries>;

/** Creates the recoveries by an administrator, for holders who have lost every way to sign in. */
export function createRecoveries(options: RecoveriesOptions) {
  const { kv, clock, mailer } = options;
  /** The recovery of a record moves with its corrections, so that both addresses can stop it. */
  const data: RecordData = {
    name: "recoveries",
    deleteOf: (hash) =>
      transact(async () => {
        const commit = kv.atomic();
        return await addCancellation(kv, commit, hash)
          ? { result: undefined, commit }
          : { result: undefined };
      }),
    move: (from, to, undoneSince) => moveOrEnd(options, from, to, undoneSince),
    undo: { cancel_recovery: (commit, { record }) => addCancellation(kv, commit, record.hash) },
  };

  /** Sends the links that are due. */
  const job: Job = {
    name: "recoveries",
    title: "Sending recovery links that are due",
    everyMs: 10 * MINUTE_MS,
    maxMs: MINUTE_MS,
    resumeMs: MINUTE_MS,
    async run(context) {
      let sent = 0;
      await sweepRows<RecoveryRow>(kv, recoveries.prefix, context, async ({ value }, hash) => {
        if (!isDue(value, clock())) return false;
        const mails = await sendLink(options, hash);
        mailer.send(mails);
        sent += mails.length;
        return true;
      });
      return `${sent} sent`;
    },
  };

  return {
    data,
    job,
    findLink: findRecoveryLink(kv),
    ...bind(options, { start: startRecovery, read: readRecovery, cancel: cancelRecovery }),
  };
}

/** Returns the open recovery of a record, until its link is used. */
async function readRecovery({ kv }: RecoveriesOptions, hash: string): Promise<Recovery | null> {
  const { value } = await recoveries.get(kv, hash);
  if (value === null) return null;
  const { address: _, link: __, ...recovery } = value;
  return recovery;
}

/**
 * Cancels a recovery and its link. Returns false if none is open.
 *
 * @param by the administrator's email address
 */
const cancelRecovery = (
  { kv, clock }: RecoveriesOptions,
  hash: string,
  by: string,
  reader: Reader,
): Promise<boolean> =>
  transact(async () => {
    const commit = kv.atomic();
    const record = await readExisting(kv, hash);
    if (record === null || !await addCancellation(kv, commit, hash)) return { result: false };
    const now = clock();
    commit.check(record.contact);
    addAccess(commit, hash, { what: "recovery_cancelled", reader }, now);
    const organisation = ownerOf(record.contact.value);
    const object = { record: hash };
    addAudit(commit, { organisation, by, action: "recovery_cancelled", object }, now);
    return { result: true, commit };
  });

/**
 * Starts a recovery and notifies the old address. Fails with `unconfirmed` if nobody has ever signed in
 * to the record, `conflict` if one is open, or `unavailable` without a trust surface.
 */
async function startRecovery(
  { kv, clock, secrets, surfaces, notices, mailer }: RecoveriesOptions,
  { hash, newEmail, by, note, reader }: NewRecovery,
): Promise<Started> {
  if (surfaces.get("trust") === undefined) return fail("unavailable", FAILURES.unavailable);
  const address = await secrets.seal("recovery", utf8(newEmail), hash);
  return await transactAndMail<Started>(mailer, async () => {
    const now = clock();
    const [entry, record] = await Promise.all([recoveries.get(kv, hash), readRecord(kv, hash)]);
    if (record === null) return { result: fail("not_found", FAILURES.not_found) };
    if (record.contact.value.confirmed_at === null) {
      return { result: fail("unconfirmed", FAILURES.unconfirmed) };
    }
    if (record.row.replaced_by !== null) return { result: fail("conflict", FAILURES.replaced) };
    if (await waitsToCorrect(kv, record)) return { result: fail("conflict", FAILURES.waiting) };
    if (entry.versionstamp !== null) return { result: fail("conflict", FAILURES.conflict) };
    const dueAt = isoAfter(now, RECOVERY_DELAY_MS);
    const row: RecoveryRow = {
      address,
      masked: maskEmail(newEmail),
      by,
      note,
      requested_at: isoAfter(now, 0),
      due_at: dueAt,
      sent_at: null,
      link: null,
    };
    const commit = kv.atomic().check(entry, record.contact, record.entry)
      .set(entry.key, row, { expireIn: ROW_LIFETIME_MS });
    const detail = `for ${row.masked}`;
    addAccess(commit, hash, { what: "recovery_started", reader, detail }, now);
    const organisation = ownerOf(record.contact.value);
    addAudit(
      commit,
      { organisation, by, action: "recovery_started", object: { record: hash } },
      now,
    );
    const undo = { act: "cancel_recovery" } as const;
    const mails = await notices.add(commit, { record, kind: "recovery", undo }, now);
    return { result: { ok: true, dueAt }, commit, mails };
  });
}
