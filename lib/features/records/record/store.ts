/** The row of a record, and the one way to change it. */
import { z } from "zod";
import {
  changeLists,
  changeRegistrations,
  contacts,
  countLevel,
  listedAs,
  ownerOf,
  type StoredContact,
} from "../../contact/mod.ts";
import { defineTable, unchecked, WITH_RECORD } from "../../../platform/kv/mod.ts";
import { encodeBase64Url } from "../../../base/encoding.ts";
import {
  applyChange,
  type ConditionChange,
  type Conditions,
  type Level,
  levelOf,
} from "./levels.ts";

/** ISO 8601 in UTC. */
const time = z.iso.datetime();

/** An administrator's identity check, or its revocation. */
const identityCheck = z.strictObject({
  at: time,
  /** The administrator's email address. */
  by: z.string(),
  /** How the identity was checked, or why the check was revoked. */
  note: z.string(),
});

export type IdentityCheck = z.infer<typeof identityCheck>;

const level = z.literal([1, 2, 3, 4] satisfies Level[]);

/** Everything about a record except what its contact stores. */
const recordRow = z.strictObject({
  level,
  /**
   * The level at which the record is in the counters; null if it is not in force. Absent in rows from
   * before records were counted.
   */
  counted: level.nullish(),
  /** When the record last reached each level. */
  reached: z.strictObject({ 1: time, 2: time, 3: time, 4: time }).partial(),
  mobile_confirmed_at: time.nullable(),
  passkeys: z.number(),
  identity: identityCheck.nullable(),
  identity_revoked: identityCheck.nullable(),
  /** Identifies the holder to authenticators: 32 random bytes, stable for the holder. */
  user_handle: z.string(),
  /** The record that this one corrects. */
  replaces: z.string().nullable(),
  /** The record that corrects this one. */
  replaced_by: z.string().nullable(),
  /** When the correction took effect. Absent in rows from before this was stored. */
  replaced_at: time.optional(),
  /**
   * The time until which the address of this record can undo the correction. Absent if this is seven
   * days after it took effect; null if the record was returned to an earlier address.
   */
  undo_until: time.nullish(),
  /** A record that will correct this one once its address or number is confirmed. */
  correction: z.strictObject({ to: z.string(), at: time }).nullish(),
  /** When the record will be deleted. Until then it is closed. */
  deletion_at: time.nullish(),
  /** When the last notices of downloads were mailed. */
  exports_mailed: z.array(time).optional(),
});

export type RecordRow = z.infer<typeof recordRow>;

/** The rows of records. A record without one is at level 1. */
export const recordRows = defineTable({
  prefix: "records",
  value: recordRow,
  key: ["hash"],
  owner: "record",
  lifetime: WITH_RECORD,
  per: "registration",
  privacy: [{
    section: "record",
    label: "Level",
    text: "The level of your record, when it reached each level, and whether another record " +
      "replaces it. We keep it with the record.",
  }, {
    section: "record",
    label: "Identity check",
    text: "If an administrator has checked your identity: when, the administrator's address, " +
      "and a note on how. If the check is revoked: when, by whom, and why. We keep no copies " +
      "of your identity documents.",
  }, { section: "record", label: "Security notices" }],
});

/** A record with its contact, as entries that a commit can check. */
export interface RecordEntry {
  hash: string;
  contact: Deno.KvEntry<StoredContact>;
  entry: Deno.KvEntryMaybe<RecordRow>;
  /** The stored row, or a new one at level 1. */
  row: RecordRow;
}

/** A change of a record's conditions, with the members of the row that it sets. */
export interface RecordChange {
  change: ConditionChange;
  /** For `identity_checked` and `identity_revoked`. */
  check?: IdentityCheck;
}

/** Reads a record. Returns null if it has no contact, because it was deleted or never existed. */
export async function readRecord(kv: Deno.Kv, hash: string): Promise<RecordEntry | null> {
  const [contact, entry] = await Promise.all([
    contacts.get(kv, hash),
    recordRows.get(kv, hash),
  ]);
  if (contact.versionstamp === null) {
    unchecked("A record that does not exist never will.", contact, entry);
    return null;
  }
  return { hash, contact, entry, row: entry.value ?? newRow(contact.value) };
}

/** Returns the hashes of those records that a correction has replaced. */
export async function replacedAmong(
  kv: Deno.Kv,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await recordRows.getMany(kv, hashes.map((hash) => [hash]));
  const replaced = rows.filter(({ value }) => value.replaced_by !== null);
  return new Set(replaced.map(({ key }) => String(key[1])));
}

/** Reads a record for a transaction to which only matters that it exists, so that it checks the contact alone. */
export async function readExisting(kv: Deno.Kv, hash: string): Promise<RecordEntry | null> {
  const record = await readRecord(kv, hash);
  if (record !== null) unchecked("Only that the record exists matters.", record.entry);
  return record;
}

/** Reads a record, or the one that has replaced it. */
export async function readCurrentRecord(kv: Deno.Kv, hash: string): Promise<RecordEntry | null> {
  let record = await readRecord(kv, hash);
  while (record !== null && record.row.replaced_by !== null) {
    unchecked("Undoing the correction also moves what is added now.", record.contact, record.entry);
    record = await readRecord(kv, record.row.replaced_by);
  }
  return record;
}

/** Returns whether a record is a correction that is not in force yet. */
export async function waitsToCorrect(
  kv: Deno.Kv,
  { hash, row: { replaces } }: Pick<RecordEntry, "hash" | "row">,
): Promise<boolean> {
  if (!replaces) return false;
  const entry = await recordRows.get(kv, replaces);
  unchecked("A record that does not wait for this never will.", entry);
  const { value } = entry;
  return value?.correction?.to === hash;
}

/** Returns whether a record corrects another one, or another one corrects it or will. */
export const takesPartInCorrection = (
  { row: { replaces, replaced_by, correction } }: Pick<RecordEntry, "row">,
): boolean => replaces !== null || replaced_by !== null || Boolean(correction);

/** Why a correction cannot be changed or used like a record. */
export const NOT_IN_FORCE = "This correction is not in force. You can only confirm or withdraw it.";

/** Returns what a record's level is computed from. */
export const conditionsOf = (
  { contact, row }: Pick<RecordEntry, "contact" | "row">,
): Conditions => ({
  declared: (contact.value.declarations ?? []).length > 0,
  emailConfirmed: contact.value.confirmed_at !== null,
  mobileConfirmed: row.mobile_confirmed_at !== null,
  passkeys: row.passkeys,
  identityChecked: row.identity !== null,
});

/**
 * Adds a change of a record to a commit: checks the record and its contact, computes the level and
 * writes the row. The caller writes whatever else changes, such as the contact.
 *
 * @returns the new row
 *
 * @example
 * ```ts
 * const record = await readRecord(kv, hash);
 * changeRecord(commit, record, { change: "passkey_added" }, now);
 * ```
 */
export function changeRecord(
  commit: Deno.AtomicOperation,
  record: RecordEntry,
  { change, check }: RecordChange,
  now: number,
): RecordRow {
  const conditions = applyChange(conditionsOf(record), change);
  const at = new Date(now).toISOString();
  const level = levelOf(conditions);
  const row: RecordRow = {
    ...record.row,
    ...membersOf(change, check, at),
    passkeys: conditions.passkeys,
    level,
    counted: record.row.counted && level,
    reached: reachedAt(record.row, level, at),
  };
  recount(commit, record, row, conditions.emailConfirmed);
  recordRows.replace(commit.check(record.contact), record.entry, row);
  return row;
}

/**
 * Adds the change of the counters and lists to the commit that changes a record's row. The list's version
 * changes, too, if the level of a record that is not counted changes.
 *
 * @param confirmed whether the address is confirmed after the commit
 */
export function recount(
  commit: Deno.AtomicOperation,
  { contact, row }: Pick<RecordEntry, "contact" | "row">,
  changed: Pick<RecordRow, "counted" | "level">,
  confirmed = contact.value.confirmed_at !== null,
): void {
  const organisation = ownerOf(contact.value);
  const listed = listedAs(contact.value, row.level);
  changeLists(commit, String(contact.key[1]), contact.value, {
    before: listed,
    after: { ...listed, level: changed.level, confirmed },
  });
  const [before, after] = [row.counted ?? null, changed.counted ?? null];
  countLevel(commit, organisation, before, after);
  if (before === after && row.level !== changed.level) changeRegistrations(commit, organisation);
}

/** Adds the deletion of a record's row to the commit that deletes its contact. */
export async function removeRow(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  hash: string,
  contact: StoredContact,
): Promise<void> {
  const entry = await recordRows.get(kv, hash);
  const { counted, level } = entry.value ?? newRow(contact);
  changeLists(commit, hash, contact, { before: listedAs(contact, level), after: null });
  countLevel(commit, ownerOf(contact), counted ?? null, null);
  commit.check(entry).delete(entry.key);
}

/**
 * Adds the row of a record to a commit that checks the record, if there is no row. Opening a record does so, so
 * that the user handle of its passkeys stays the same.
 */
export function ensureRow(commit: Deno.AtomicOperation, { entry, row }: RecordEntry): void {
  if (entry.versionstamp === null) recordRows.replace(commit, entry, row);
}

function membersOf(
  change: ConditionChange,
  check: IdentityCheck | undefined,
  at: string,
): Partial<RecordRow> {
  switch (change) {
    case "mobile_confirmed":
      return { mobile_confirmed_at: at };
    case "mobile_unconfirmed":
      return { mobile_confirmed_at: null };
    case "identity_checked":
      return { identity: check ?? null, identity_revoked: null };
    case "identity_revoked":
      return { identity: null, identity_revoked: check ?? null };
    default:
      return {};
  }
}

/** Records the time of every level that was newly reached, and keeps the others. */
function reachedAt(
  { level: before, reached }: RecordRow,
  level: Level,
  at: string,
): RecordRow["reached"] {
  const changed = { ...reached };
  for (const step of [2, 3, 4] as const) if (step > before && step <= level) changed[step] = at;
  return changed;
}

/** Returns the row of a record that has none yet. */
export function newRow({ registered_at }: { registered_at: string }): RecordRow {
  return {
    level: 1,
    counted: 1,
    reached: { 1: registered_at },
    mobile_confirmed_at: null,
    passkeys: 0,
    identity: null,
    identity_revoked: null,
    user_handle: encodeBase64Url(crypto.getRandomValues(new Uint8Array(32))),
    replaces: null,
    replaced_by: null,
  };
}
