/** The mobile number of a record: unconfirmed, confirmed or rejected by its holder. */
import { z } from "zod";
import { type ContactIndex, maskMobile } from "../contact/mod.ts";
import { defineTable, transact, WITH_RECORD } from "../../platform/kv/mod.ts";
import { transactAndMail } from "../../platform/mail/mod.ts";
import {
  addAccess,
  changeRecord,
  type Reader,
  readRecord,
  type RecordData,
  type RecordEntry,
} from "../records/mod.ts";
import { deleteLiveCodes } from "./codes.ts";
import type { CodesOptions } from "./options.ts";

/**
 * The stored state of a record's number, besides the record's row. The number itself
 * belongs to the contact and never changes.
 */
const numberState = z.strictObject({
  /** When the event `sms_confirmed` was appended, which happens once. */
  event_at: z.iso.datetime().nullable(),
  /** When the holder said that the number isn't theirs. It never gets a code again. */
  rejected_at: z.iso.datetime().nullable(),
});

export const recordNumbers = defineTable({
  prefix: "record_numbers",
  value: numberState,
  key: ["record"],
  owner: { record: "record" },
  lifetime: WITH_RECORD,
  per: "confirmed or rejected number",
  privacy: {
    section: "codes",
    label: "Confirmed numbers",
    text: "A keyed hash of the number with the record that it opens, until the record is " +
      "deleted or the number is no longer confirmed.",
  },
});

/** The number of a record, as its holder sees it. */
export interface NumberView {
  state: "none" | "unconfirmed" | "confirmed" | "rejected";
  /** The number to show, such as `+61 ••• ••• 006`. Null if the record has none. */
  masked: string | null;
  confirmedAt: string | null;
}

/** Changes the state of a number in a commit, which fails if it has changed since it was read. */
export function setNumberState(
  commit: Deno.AtomicOperation,
  entry: Deno.KvEntryMaybe<z.infer<typeof numberState>>,
  change: Partial<z.infer<typeof numberState>>,
): void {
  const before = entry.value ?? { event_at: null, rejected_at: null };
  recordNumbers.replace(commit, entry, { ...before, ...change });
}

/** Returns the records that a code to a number opens, at most `limit`. */
export async function recordsOpenedBy(
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
  number: string,
  limit?: number,
): Promise<RecordEntry[]> {
  const found: RecordEntry[] = [];
  for (const hash of await index.find("mobile", number, limit)) {
    const record = await readRecord(kv, hash);
    if (record === null) continue;
    const { mobile_confirmed_at, replaced_by } = record.row;
    if (mobile_confirmed_at !== null && replaced_by === null) found.push(record);
  }
  return found;
}

export async function numberView(kv: Deno.Kv, record: RecordEntry): Promise<NumberView> {
  const { mobile } = record.contact.value.record;
  const confirmedAt = record.row.mobile_confirmed_at;
  if (mobile === undefined) return { state: "none", masked: null, confirmedAt: null };
  const { value: stored } = await recordNumbers.get(kv, record.hash);
  const unconfirmed = stored?.rejected_at ? "rejected" : "unconfirmed";
  const state = confirmedAt === null ? unconfirmed : "confirmed";
  return { state, masked: maskMobile(mobile), confirmedAt };
}

/**
 * Adds to a commit that a number is no longer confirmed: the level is computed again, and the number
 * no longer signs in. The caller logs it.
 */
async function unconfirmMobile(
  commit: Deno.AtomicOperation,
  index: ContactIndex,
  record: RecordEntry,
  now: number,
): Promise<void> {
  changeRecord(commit, record, { change: "mobile_unconfirmed" }, now);
  const { mobile } = record.contact.value.record;
  if (mobile !== undefined) await index.remove(commit, "mobile", mobile, record.hash);
}

/**
 * Rejects a number, because the holder says that it isn't theirs. Its live codes are deleted. Only the
 * link of the notice allows it again.
 *
 * @returns false if there was nothing to change
 */
export async function rejectNumber(
  { kv, clock, index, records, mailer }: CodesOptions,
  hash: string,
  reader: Reader,
): Promise<boolean> {
  const changed = await transactAndMail(mailer, async () => {
    const now = clock();
    const [record, stored] = await Promise.all([readRecord(kv, hash), recordNumbers.get(kv, hash)]);
    if (record?.contact.value.record.mobile === undefined || stored.value?.rejected_at) {
      return { result: false };
    }
    const commit = kv.atomic().check(record.contact, record.entry);
    if (record.row.mobile_confirmed_at !== null) await unconfirmMobile(commit, index, record, now);
    const detail = "not the holder's number";
    addAccess(commit, hash, { what: "mobile_unconfirmed", reader, detail }, now);
    setNumberState(commit, stored, { rejected_at: new Date(now).toISOString() });
    const undo = { act: "accept_mobile" } as const;
    const notice = { record, kind: "mobile_rejected", undo, reader } as const;
    return { result: true, commit, mails: await records.notices.add(commit, notice, now) };
  });
  await deleteLiveCodes(kv, hash);
  return changed;
}

/** Makes codes take part in the deletion and correction of records, and in the undoing of events. */
export const codeData = (
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
): RecordData => ({
  name: "codes",
  deleteOf: (hash) => deleteLiveCodes(kv, hash),
  move: (from, to, undoneSince) => moveNumber(kv, from, to, undoneSince),
  undo: {
    async accept_mobile(commit, { record }) {
      const stored = await recordNumbers.get(kv, record.hash);
      if (!stored.value?.rejected_at) return false;
      setNumberState(commit, stored, { rejected_at: null });
      return true;
    },
    async unconfirm_mobile(commit, { record, now }) {
      if (record.row.mobile_confirmed_at === null) return false;
      await unconfirmMobile(commit, index, record, now);
      return true;
    },
  },
});

/**
 * Moves the state of a number to the record that corrects another one: a number that the holder
 * rejected stays rejected, unless that happened since a correction that is undone. Records move the
 * index themselves.
 */
async function moveNumber(
  kv: Deno.Kv,
  from: string,
  to: string,
  undoneSince?: string,
): Promise<void> {
  const [before, after] = await Promise.all([readRecord(kv, from), readRecord(kv, to)]);
  const sameNumber = before?.contact.value.record.mobile === after?.contact.value.record.mobile;
  await transact(async () => {
    const [old, stored] = await Promise.all([
      recordNumbers.get(kv, from),
      recordNumbers.get(kv, to),
    ]);
    const rejected_at = old.value?.rejected_at;
    if (!sameNumber || !rejected_at || stored.value?.rejected_at) return { result: undefined };
    if (undoneSince !== undefined && rejected_at >= undoneSince) return { result: undefined };
    const commit = kv.atomic();
    setNumberState(commit, old, { rejected_at: null });
    setNumberState(commit, stored, { rejected_at });
    return { result: undefined, commit };
  });
  await deleteLiveCodes(kv, from);
}
