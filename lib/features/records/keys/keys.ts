/** The keys of records (K2): creating, replacing, revoking and moving them. */
import { z } from "zod";
import { sha256 } from "../../../platform/kv/hash.ts";
import {
  defineLimit,
  defineTable,
  readSlot,
  transact,
  unchecked,
  WITH_RECORD,
} from "../../../platform/kv/mod.ts";
import { type QueuedMail, transactAndMail } from "../../../platform/mail/mod.ts";
import { bind } from "../../../base/bind.ts";
import { fail, type Failure, rateLimited } from "../../../base/result.ts";
import { DAY_MS } from "../../../base/time.ts";
import { addAccess, type Reader, SITE } from "../access_log/access_log.ts";
import { findKey, newKey } from "./key_code.ts";
import type { RecordData } from "../record/record_data.ts";
import type { WithNotices } from "../notices/notices.ts";
import { NOT_IN_FORCE, readExisting, readRecord, waitsToCorrect } from "../record/store.ts";

/** ISO 8601 in UTC. */
const time = z.iso.datetime();

/** The row of a key (K2). The key itself is not stored. */
const keyRow = z.strictObject({
  /** The record that the key leads to. */
  hash: z.string(),
  /** The hash on the card, if the record was corrected after the card was printed. */
  card_hash: z.string().optional(),
  created_at: time,
  replaced_at: time.nullable(),
  /** The SHA-256 of the key that replaced this one. */
  replaced_by: z.string().nullable(),
  revoked_at: time.nullable(),
});

export type KeyRow = z.infer<typeof keyRow>;

/** A key as its holder sees it. */
export interface IssuedKey extends KeyRow {
  /** SHA-256 of the key. */
  id: string;
}

/** The keys of a record: the current one, if any, and earlier ones, the newest first. */
export interface KeyOverview {
  current: IssuedKey | null;
  past: IssuedKey[];
}

/** A key that was just created. `key` exists only in this value. */
export interface NewKey {
  ok: true;
  key: string;
  created_at: string;
}

export type KeyState =
  | { state: "current"; hash: string; card_hash?: string }
  | { state: "replaced" | "revoked"; at: string }
  | { state: "unknown" };

/** A holder's request about the key of their record. */
export interface KeyRequest {
  hash: string;
  reader: Reader;
}

const id = z.string().regex(/^[0-9a-f]{64}$/, "The page has changed. Reload it.");

/** The actions of a holder on the key; `id` names the one that the page showed. */
export const keyActionSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("show") }),
  z.object({ act: z.literal("replace"), id }),
  z.object({ act: z.literal("revoke"), id }),
]);

/** The lowest level at which a record gets a key. */
export const KEY_LEVEL = 3;

/** The number of earlier keys that are still reported as replaced or revoked. */
const KEPT = 50;

export const recordKeys = defineTable({
  prefix: "record_keys",
  value: keyRow,
  key: ["id"],
  indexes: { record_keys_by_contact: { columns: ["hash"], value: () => true } },
  owner: { record: "hash" },
  lifetime: WITH_RECORD,
  per: "key",
  privacy: {
    section: "record",
    label: "Your key",
    text: "A fingerprint (SHA-256) of each key of your record, and when it was created, " +
      "replaced or revoked. The key itself is only on your card. Anyone who has it can see the " +
      "record's hash, chain and level, but nothing about you.",
  },
});

const BY_RECORD = "record_keys_by_contact";

/** New keys per record and day. Each of them is mailed to the holder. */
export const KEYS_PER_DAY = 10;

export const keyTimes = defineLimit({
  name: "record_key_times",
  limit: KEYS_PER_DAY,
  windowMs: DAY_MS,
  owner: "record",
  per: "record with a new key",
  privacy: { section: "record", label: "Limits" },
});

export type IssueFailure = Failure<"not_found" | "forbidden" | "conflict" | "rate_limited">;

export type RecordKeysOptions = Pick<WithNotices, "kv" | "clock" | "chains" | "mailer" | "notices">;

/** The keys of records. Every method rejects with `KvBusyError` while the store is too busy. */
export type RecordKeys = ReturnType<typeof createRecordKeys>;

/** Creates the functions that issue, replace, revoke and read the keys of records. */
export const createRecordKeys = (options: RecordKeysOptions) =>
  bind(options, {
    issue: issueKey,
    replace: replaceKey,
    revoke: revokeCurrent,
    read: readKeys,
    state: keyState,
  });

/** Creates the first key of a record, or a new one after the last one was revoked. */
const issueKey = (options: RecordKeysOptions, request: KeyRequest) =>
  createKey(options, request, null);

/** Creates a key that replaces the current one, whose id the holder saw. */
const replaceKey = (
  options: RecordKeysOptions,
  { id, ...request }: KeyRequest & { id: string },
) => createKey(options, request, id);

/** Revokes the key that the holder saw. */
const revokeCurrent = (
  { kv, clock, mailer, notices }: RecordKeysOptions,
  { hash, reader, id }: KeyRequest & { id: string },
) =>
  transactAndMail<{ ok: true } | Failure<"not_found">>(mailer, async () => {
    const now = clock();
    const commit = kv.atomic();
    const [record, row] = await Promise.all([
      readExisting(kv, hash),
      revokeKey(kv, commit, id, now),
    ]);
    if (record === null || row?.hash !== hash) return { result: fail("not_found") };
    commit.check(record.contact);
    addAccess(commit, hash, { what: "key_revoked", reader }, now);
    const undo = { act: "sign_out" } as const;
    const mails = await notices.add(commit, { record, kind: "key_revoked", undo, reader }, now);
    return { result: { ok: true }, commit, mails };
  });

/** Reads the keys of a record as its holder sees them. */
async function readKeys({ kv }: RecordKeysOptions, hash: string): Promise<KeyOverview> {
  const issued = (await readEntries(kv, hash)).map(asIssued).toSorted(newestFirst);
  const current = issued.find(isCurrent) ?? null;
  return { current, past: issued.filter((key) => key !== current) };
}

/**
 * Creates a key in one commit with its chain event, access log entry and notice. Appends to one chain
 * never overlap, so a record never has two current keys.
 *
 * @param replaces the id of the current key, or null if there is none
 */
async function createKey(
  { kv, clock, chains, mailer, notices }: RecordKeysOptions,
  { hash, reader }: KeyRequest,
  replaces: string | null,
): Promise<NewKey | IssueFailure> {
  let failure: IssueFailure | null = null;
  let mails: QueuedMail[] = [];
  let key = "";
  const cancel = (reason: IssueFailure) => {
    failure = reason;
    return false;
  };
  const appended = await chains.append(hash, "k2_delivered", async (commit, { at, seq }) => {
    const now = clock();
    const [record, entries, slot] = await Promise.all([
      readRecord(kv, hash),
      readEntries(kv, hash),
      readSlot(kv, keyTimes.of([hash]), now),
    ]);
    if (record === null) return cancel(fail("not_found"));
    if (record.row.level < KEY_LEVEL) return cancel(fail("forbidden", LEVEL_TOO_LOW));
    if (record.row.replaced_by !== null) return cancel(fail("conflict", CORRECTED));
    if (await waitsToCorrect(kv, record)) {
      return cancel(fail("conflict", { message: NOT_IN_FORCE }));
    }
    const current = entries.find(({ value }) => isCurrent(value));
    if (current !== undefined && replaces === null) return cancel(fail("conflict", EXISTS));
    if (replaces !== null && (current === undefined || idOf(current) !== replaces)) {
      return cancel(fail("conflict", CHANGED));
    }
    if (slot.waitMs > 0) return cancel({ ...rateLimited(slot.waitMs), message: TOO_MANY });

    unchecked(PAST, ...entries.filter((each) => each !== current));
    key = newKey();
    const id = sha256(key);
    const row: KeyRow = {
      hash,
      created_at: at,
      replaced_at: null,
      replaced_by: null,
      revoked_at: null,
    };
    commit.check(record.contact, record.entry);
    recordKeys.put(commit, [id], row);
    slot.take(commit);
    if (current !== undefined) {
      recordKeys.replace(commit, current, { ...current.value, replaced_at: at, replaced_by: id });
    }
    for (const old of entries.toSorted(newestEntryFirst).slice(KEPT)) {
      recordKeys.deleteAt(commit, [idOf(old)], old.value);
    }
    const what = current === undefined ? "key_shown" : "key_replaced";
    addAccess(commit, hash, { what, reader, seq }, now);
    mails = await notices.add(commit, {
      record,
      // A new key after a revoked one is a replacement too.
      kind: entries.length === 0 ? "key_created" : "key_replaced",
      undo: { act: "revoke_key", key: id },
      reader,
    }, now);
  });
  if (appended === null) return failure ?? fail("not_found");
  mailer.send(mails);
  return { ok: true, key, created_at: appended.event.at };
}

const PAST = "Only the current key changes.";
const LEVEL_TOO_LOW = { message: `A record gets a key at level ${KEY_LEVEL}.` };
const CORRECTED = { message: "This record was corrected. Its new record has the key." };
const EXISTS = {
  message: "This record has a key, which was shown once. Replace it to get a new card.",
};
const CHANGED = { message: "The key has changed since you opened the page. Reload it." };
const TOO_MANY = `A record gets at most ${KEYS_PER_DAY} new keys per day.`;

/** Returns the state of a key. Text that is not a key is unknown without a read from the store. */
async function keyState({ kv }: RecordKeysOptions, text: string): Promise<KeyState> {
  const key = findKey(text);
  if (key === null) return { state: "unknown" };
  const { value } = await recordKeys.get(kv, sha256(key));
  if (value === null) return { state: "unknown" };
  if (value.revoked_at !== null) return { state: "revoked", at: value.revoked_at };
  if (value.replaced_at !== null) return { state: "replaced", at: value.replaced_at };
  const { hash, card_hash } = value;
  return { state: "current", hash, ...card_hash === undefined ? {} : { card_hash } };
}

/**
 * Adds the revocation of a key to a commit, for example to undo a replacement.
 *
 * @param id SHA-256 of the key
 * @returns the row, or null if the key is unknown or already revoked; then nothing is added
 */
async function revokeKey(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  id: string,
  now: number,
): Promise<KeyRow | null> {
  const entry = await recordKeys.get(kv, id);
  if (entry.versionstamp === null || entry.value.revoked_at !== null) return null;
  const row = { ...entry.value, revoked_at: new Date(now).toISOString() };
  recordKeys.replace(commit, entry, row);
  return row;
}

/**
 * Moves all keys of a record to the record that corrects it: a card leads to the new record from
 * then on. If the new record already has a key, that one stays current. Mark the old record as
 * replaced first, because it gets no new keys after that.
 *
 * @param undoneSince for a correction that is undone: keys that were created since are revoked
 */
export function moveKeys(
  kv: Deno.Kv,
  from: string,
  to: string,
  now: number,
  undoneSince?: string,
): Promise<void> {
  return transact(async () => {
    const [moved, own, slot] = await Promise.all([
      readEntries(kv, from),
      readEntries(kv, to),
      readSlot(kv, keyTimes.of([to]), now),
    ]);
    if (moved.length === 0) return { result: undefined };
    const newer = own.find(({ value }) => isCurrent(value));
    unchecked(PAST, ...moved.filter(({ value }) => !isCurrent(value)));
    // The slot is taken for each new key, and a key that is revoked meanwhile stays so.
    unchecked("A new key takes the slot.", ...own);
    const commit = kv.atomic();
    slot.take(commit); // prevents that a key of the new record is created at the same time
    for (const entry of moved) {
      const { card_hash = from, ...value } = entry.value;
      // A correction that is undone moves the keys back.
      const row: KeyRow = { ...value, hash: to, ...card_hash === to ? {} : { card_hash } };
      // Only the current key can change, and a commit has few checks.
      if (isCurrent(row)) {
        commit.check(entry);
        if (undoneSince !== undefined && row.created_at >= undoneSince) {
          row.revoked_at = new Date(now).toISOString();
          addAccess(commit, to, { what: "key_revoked", reader: SITE }, now);
        } else if (newer !== undefined) {
          row.replaced_at = newer.value.created_at;
          row.replaced_by = idOf(newer);
        }
      }
      recordKeys.deleteAt(commit, [idOf(entry)], entry.value);
      recordKeys.put(commit, [idOf(entry)], row);
    }
    return { result: undefined, commit };
  });
}

/** The keys of records, for deletion, correction and undo. */
export const keyData = ({ kv, clock }: Pick<RecordKeysOptions, "kv" | "clock">): RecordData => ({
  name: "keys",
  move: (from, to, undoneSince) => moveKeys(kv, from, to, clock(), undoneSince),
  undo: {
    revoke_key: async (commit, { undo, now }) =>
      await revokeKey(kv, commit, undo.key, now) !== null,
  },
});

/** Reads the keys of a record, of which there are about {@link KEPT} at most. */
const readEntries = (kv: Deno.Kv, hash: string): Promise<Deno.KvEntry<KeyRow>[]> =>
  recordKeys.find(kv, BY_RECORD, [hash]);

const idOf = ({ key }: Deno.KvEntry<KeyRow>): string => String(key[1]);
const asIssued = (entry: Deno.KvEntry<KeyRow>): IssuedKey => ({
  ...entry.value,
  id: idOf(entry),
});
const isCurrent = ({ replaced_at, revoked_at }: KeyRow): boolean =>
  replaced_at === null && revoked_at === null;
const newestFirst = (a: KeyRow, b: KeyRow): number => b.created_at.localeCompare(a.created_at);
const newestEntryFirst = (a: Deno.KvEntry<KeyRow>, b: Deno.KvEntry<KeyRow>): number =>
  newestFirst(a.value, b.value);
