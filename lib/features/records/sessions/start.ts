/** A new session, in the commit of the sign-in. */
import { SESSION_LIFETIME_MS } from "../../auth/mod.ts";
import { isSameMailbox } from "../../../base/email.ts";
import { sha256 } from "../../../platform/kv/hash.ts";
import { isLive, isoAfter, unchecked } from "../../../platform/kv/mod.ts";
import type { SurfaceName } from "../../../platform/surfaces/mod.ts";
import type { Reader } from "../access_log/access_log.ts";
import { ensureRow, readRecord, type RecordEntry } from "../record/store.ts";
import {
  addEnd,
  cookies,
  holderSessions,
  logSignIn,
  MAX_CHOICES,
  RECENT_MS,
  type SignInMethod,
  type StoredSession,
} from "./table.ts";

/** A session to start. */
export interface NewHolderSession {
  surface: SurfaceName;
  /** At least one record. More than {@link MAX_CHOICES} are cut off. */
  choices: string[];
  method: SignInMethod;
  /** True if this sign-in counts as recent. Default: true. */
  recent?: boolean;
  /** The id of the session that the same browser has had so far. It ends. */
  previous: string | null;
  /**
   * True if the browser's record stays open: the new session goes on with the previous one, and may open the new
   * records too. With a record of another mailbox, no session starts, because a stolen session must not go on under
   * another cookie. Default: false.
   */
  keep?: boolean;
  reader: Reader;
  /** False if the caller's own entry of the access log says it. Default: true. */
  logged?: boolean;
}

/** A session that was added to a commit. */
export interface StartedSession {
  /** The `Set-Cookie` value. */
  cookie: string;
  id: string;
  /** The record that is open; null if the holder has to choose one. */
  record: string | null;
}

/** The rows on which a new session depends: its records, and the browser's previous session. */
interface SessionRows {
  records: RecordEntry[];
  before: Deno.KvEntryMaybe<StoredSession> | null;
}

/** Reads what {@link startSession} needs. Records that do not exist are left out. */
export async function readForSession(
  kv: Deno.Kv,
  { choices, previous }: Pick<NewHolderSession, "choices" | "previous">,
): Promise<SessionRows> {
  const [before, ...records] = await Promise.all([
    previous === null ? null : holderSessions.get(kv, previous),
    ...choices.slice(0, MAX_CHOICES).map((hash) => readRecord(kv, hash)),
  ]);
  return { before, records: records.filter((record) => record !== null) };
}

/**
 * Adds a new session to a commit, which ends the browser's previous one. If it opens a single record,
 * that record is open at once. A record that was corrected is not opened.
 *
 * @param read what `readForSession` returned. Default: it is read.
 * @returns null if none of the records is left, or the previous session stays; then nothing is added
 */
export async function startSession(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  session: NewHolderSession,
  now: number,
  read?: SessionRows,
): Promise<StartedSession | null> {
  const { surface, method, recent = true, previous, keep = false, reader, logged = true } = session;
  const { before, ...found } = read ?? await readForSession(kv, session);
  const records = found.records.filter(({ row }) => row.replaced_by === null);
  const single = records.length === 1 ? records[0] : null;
  for (const each of found.records) {
    if (each !== single) {
      unchecked("A record is read again when it is opened.", each.contact, each.entry);
    }
  }
  if (records.length === 0) return null;
  const added = records.map(({ hash }) => hash);
  const isOpen = keep && before?.value?.surface === surface && isLive(before.value, now);
  const current = isOpen ? await readKept(kv, commit, before!.value!, records[0]) : null;
  if (current?.isSame === false) {
    unchecked("The session stays as it is.", before!);
    return null;
  }
  const kept = current?.session ?? null;
  const choices = kept === null
    ? added
    : [...new Set([...kept.record === null ? [] : [kept.record], ...added, ...kept.choices])].slice(
      0,
      MAX_CHOICES,
    );
  const record = kept !== null ? kept.record : single?.hash ?? null;
  const recent_until = isoAfter(now, recent ? RECENT_MS : 0);
  const uuid = crypto.randomUUID();
  const id = sha256(uuid);
  holderSessions.put(commit, [id], {
    surface,
    record,
    choices,
    // With several records, no action is allowed that one of the sign-ins would not allow.
    method: kept?.method ?? method,
    recent_until: kept !== null && kept.recent_until < recent_until
      ? kept.recent_until
      : recent_until,
    reader,
    ...before?.value ? { continues: before.value.continues ?? previous! } : {},
    created_at: isoAfter(now, 0),
    expires_at: kept?.expires_at ?? isoAfter(now, SESSION_LIFETIME_MS),
  }, now);
  if (single !== null) {
    // The commit fails if the record is deleted or corrected at the same time.
    commit.check(single.contact, single.entry);
    ensureRow(commit, single);
    if (logged) logSignIn(commit, single.hash, { method, reader }, now);
  }
  if (before !== null && before.versionstamp !== null) addEnd(commit, previous!, before);
  else if (before !== null) unchecked("A session that has ended stays so.", before);
  return { cookie: cookies.cookie(uuid), id, record };
}

/**
 * Returns the session that a new one goes on with, and whether that has the same mailbox as a record; null if there is
 * none, or if its own record was corrected or erased.
 */
async function readKept<Session extends { record: string | null; choices: string[] }>(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  before: Session,
  to: RecordEntry,
): Promise<{ session: Session; isSame: boolean } | null> {
  const record = await readRecord(kv, before.record ?? before.choices[0]);
  if (record === null) return null;
  const { contact, entry, row } = record;
  unchecked("The data of a contact never change.", contact);
  commit.check(entry);
  if (row.replaced_by !== null) return null;
  const [own, other] = [contact, to.contact].map(({ value }) => value.record.email);
  return {
    session: before,
    isSame: contact.value.confirmed_at !== null && isSameMailbox(own, other),
  };
}
