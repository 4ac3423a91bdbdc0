import { createSessionStore, SESSION_LIFETIME_MS, type StoredSession } from "../auth/mod.ts";
import { expiring, isLive, isoAfter, transact } from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { addAccess, type Reader } from "./access_log.ts";
import { ensureRow, readRecord, recordKey, type RecordRow, waitsToCorrect } from "./store.ts";

/** How a holder signed in. */
export type SignInMethod = "passkey" | "link" | "link_code" | "code";

/** Sensitive actions require a sign-in within this time (design, section 11). */
export const RECENT_MS = 10 * MINUTE_MS;

interface HolderSessionData {
  /** The surface that created it. It is invalid on all others. */
  surface: SurfaceName;
  /** The record that is open; null until the holder has chosen one of several. */
  record: string | null;
  /** Every record that this sign-in may open. */
  choices: string[];
  method: SignInMethod;
  /** Until when sensitive actions are allowed. ISO 8601 in UTC. */
  recent_until: string;
  reader: Reader;
  /**
   * The id of the first of several sessions that replaced each other in one browser. Absent in the
   * first session.
   */
  continues?: string;
}

/** The session of a record's holder. */
export interface HolderSession extends HolderSessionData, StoredSession {
  /** SHA-256 of the cookie's value, which identifies the session in the store. */
  id: string;
  /** When the open record will be deleted; until then it is closed. Null if it is not closed. */
  closed: string | null;
  /** True if the open record is a correction that is not in force. */
  waiting: boolean;
}

export interface NewHolderSession {
  surface: SurfaceName;
  /** At least one record. More than {@link MAX_CHOICES} are cut off. */
  choices: string[];
  method: SignInMethod;
  /** True if this sign-in counts as recent. Default: true. */
  recent?: boolean;
  /** The id of the session that the same browser has had so far. It ends. */
  previous: string | null;
  reader: Reader;
}

/** A session that was added to a commit. */
export interface StartedSession {
  /** The `Set-Cookie` value. */
  cookie: string;
  id: string;
}

/** More records than one person registers. */
export const MAX_CHOICES = 20;
const PREFIX = "record_sessions";
const BY_RECORD = "record_sessions_by_record";

const sessions = createSessionStore<HolderSessionData>({
  cookie: "record_session",
  prefix: PREFIX,
});

export const clearedRecordCookie = sessions.clearedCookie;

const METHODS: Record<SignInMethod, string> = {
  passkey: "with a passkey",
  link: "with a mailed link",
  link_code: "with a mailed link and its code",
  code: "with a code",
};

/**
 * Adds a new session to a commit, which ends the browser's previous one. If it opens a single record,
 * that record is open at once. A record that was corrected is not opened.
 *
 * @returns null if none of the records is left; then nothing is added
 */
export async function startSession(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { surface, choices: all, method, recent = true, previous, reader }: NewHolderSession,
  now: number,
): Promise<StartedSession | null> {
  const read = await Promise.all(all.slice(0, MAX_CHOICES).map((hash) => readRecord(kv, hash)));
  const records = read.filter((record) => record !== null)
    .filter(({ row }) => row.replaced_by === null);
  if (records.length === 0) return null;
  const choices = records.map(({ hash }) => hash);
  const record = choices.length === 1 ? choices[0] : null;
  const recentUntil = isoAfter(now, recent ? RECENT_MS : 0);
  const before = previous === null
    ? null
    : await kv.get<HolderSessionData & StoredSession>([PREFIX, previous]);
  const continues = before?.value ? { continues: before.value.continues ?? previous! } : {};
  const data = { surface, record, choices, method, recent_until: recentUntil, reader };
  const uuid = sessions.create(commit, { ...data, ...continues }, now);
  const id = String(sessions.key(uuid)[1]);
  const row = { expires_at: isoAfter(now, SESSION_LIFETIME_MS), ...continues };
  for (const each of choices) commit.set([BY_RECORD, each, id], row, expiring(row, now));
  if (record !== null) {
    // The commit fails if the record is deleted or corrected at the same time.
    commit.check(records[0].contact, records[0].entry);
    ensureRow(commit, records[0]);
    logSignIn(commit, record, { method, reader }, now);
  }
  if (before !== null && before.versionstamp !== null) addEnd(commit, before);
  return { cookie: sessions.cookie(uuid), id };
}

/** Returns the holder who sent a request, or null if there is no valid session for this surface. */
export async function findSession(
  kv: Deno.Kv,
  request: Request,
  surface: SurfaceName,
  now: number,
): Promise<HolderSession | null> {
  const entry = await sessions.find(kv, request, now);
  if (entry === null || entry.value.surface !== surface) return null;
  const { record } = entry.value;
  const row = record === null ? null : (await kv.get<RecordRow>(recordKey(record))).value;
  return {
    ...entry.value,
    id: String(entry.key[1]),
    closed: row?.deletion_at ?? null,
    waiting: row !== null && await waitsToCorrect(kv, { hash: record!, row }),
  };
}

/** Opens one of the records that a sign-in gives access to. */
export function chooseRecord(
  kv: Deno.Kv,
  clock: () => number,
  { id }: HolderSession,
  hash: string,
): Promise<{ ok: true } | Failure<"unauthenticated" | "not_found">> {
  return transact<{ ok: true } | Failure<"unauthenticated" | "not_found">>(async () => {
    const now = clock();
    const key = [PREFIX, id];
    const [entry, record] = await Promise.all([
      kv.get<HolderSessionData & StoredSession>(key),
      readRecord(kv, hash),
    ]);
    if (entry.versionstamp === null) return { result: fail("unauthenticated") };
    const session = entry.value;
    if (record === null || !session.choices.includes(hash)) return { result: fail("not_found") };
    const commit = kv.atomic().check(entry, record.contact)
      .set(key, { ...session, record: hash }, expiring(session, now));
    ensureRow(commit, record);
    logSignIn(commit, hash, session, now);
    return { result: { ok: true as const }, commit };
  });
}

/** Reads a session as an entry that a commit can check. */
export const sessionEntry = (
  kv: Deno.Kv,
  { id }: Pick<HolderSession, "id">,
): Promise<Deno.KvEntryMaybe<unknown>> => kv.get([PREFIX, id]);

/** The value of `["record_sessions_by_record", hash, id]`. */
type IndexRow = Pick<HolderSessionData & StoredSession, "expires_at" | "continues">;

const indexRowOf = ({ expires_at, continues }: IndexRow): IndexRow => ({
  expires_at,
  ...continues === undefined ? {} : { continues },
});

/** Returns the id of a session, or of the first one that it continues. */
export const firstSessionOf = (
  { id, continues }: Pick<HolderSession, "id" | "continues">,
): string => continues ?? id;

/**
 * Returns the sessions that may open a record and have neither ended nor expired, each by its
 * {@link firstSessionOf}, and those of the given ones that are live for any record.
 */
export async function liveSessions(
  kv: Deno.Kv,
  hash: string,
  ids: readonly string[],
  now: number,
): Promise<Set<string>> {
  const live = new Set<string>();
  for await (const { key, value } of kv.list<IndexRow>({ prefix: [BY_RECORD, hash] })) {
    if (isLive(value, now)) live.add(firstSessionOf({ id: String(key[2]), ...value }));
  }
  const keys = [...new Set(ids)].filter((id) => !live.has(id)).map((id) => [PREFIX, id]);
  for (const { key, value } of await kv.getMany<StoredSession[]>(keys)) {
    if (value !== null && isLive(value, now)) live.add(String(key[1]));
  }
  return live;
}

/**
 * Ends the sessions of a request.
 *
 * @param leave called before for each record that a session may open
 */
export async function endSession(
  kv: Deno.Kv,
  clock: () => number,
  request: Request,
  leave: (hash: string, session: string) => Promise<void>,
) {
  for (const key of sessions.keysOf(request)) {
    const { value } = await kv.get<HolderSessionData>(key);
    const first = firstSessionOf({ id: String(key[1]), continues: value?.continues });
    for (const hash of value?.choices ?? []) await leave(hash, first);
    await endById(kv, String(key[1]), (commit, { record, reader }) => {
      if (record !== null) addAccess(commit, record, { what: "signed_out", reader }, clock());
    });
  }
}

/**
 * Ends every session that may open a record, on every device.
 *
 * @returns how many there were
 */
export async function endAllSessions(kv: Deno.Kv, hash: string): Promise<number> {
  let count = 0;
  for await (const { key } of kv.list({ prefix: [BY_RECORD, hash] })) {
    await endById(kv, String(key[2]));
    await kv.delete(key); // also if the session has expired
    count++;
  }
  return count;
}

/** Returns whether a record has a session. */
export async function hasSession(kv: Deno.Kv, hash: string): Promise<boolean> {
  const [session] = await Array.fromAsync(kv.list({ prefix: [BY_RECORD, hash] }, { limit: 1 }));
  return session !== undefined;
}

/** Moves every session of a record to another record, which takes its place in them. */
export async function moveSessions(
  kv: Deno.Kv,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  for await (const { key } of kv.list({ prefix: [BY_RECORD, from] })) {
    await moveSession(kv, key, to, now);
  }
}

/**
 * Returns the sessions that have opened a correction to the record that it corrects, and ends those
 * that cannot open that record: they may belong to whoever has the corrected address.
 */
export async function leaveCorrection(
  kv: Deno.Kv,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  for await (const { key } of kv.list({ prefix: [BY_RECORD, from] })) {
    const id = String(key[2]);
    const { value } = await kv.get<HolderSessionData>([PREFIX, id]);
    if (value === null || value.choices.includes(to)) await moveSession(kv, key, to, now);
    else await endById(kv, id);
  }
}

/** Moves one session, given its key in the index. */
async function moveSession(
  kv: Deno.Kv,
  key: Deno.KvKey,
  to: string,
  now: number,
): Promise<void> {
  const [, from, id] = key.map(String);
  await transact(async () => {
    const entry = await kv.get<HolderSessionData & StoredSession>([PREFIX, id]);
    const commit = kv.atomic().check(entry).delete(key);
    if (entry.versionstamp !== null) {
      const { record, choices } = entry.value;
      const session = {
        ...entry.value,
        record: record === from ? to : record,
        choices: [...new Set(choices.map((hash) => hash === from ? to : hash))],
      };
      const row = indexRowOf(session);
      commit.set(entry.key, session, expiring(session, now))
        .set([BY_RECORD, to, id], row, expiring(row, now));
    }
    return { result: undefined, commit };
  });
}

/** Opens a correction that is not in force yet in the session of the record that it corrects. */
export function openCorrection(
  kv: Deno.Kv,
  { id }: Pick<HolderSession, "id">,
  hash: string,
  now: number,
): Promise<void> {
  return transact(async () => {
    const entry = await kv.get<HolderSessionData & StoredSession>([PREFIX, id]);
    if (entry.versionstamp === null) return { result: undefined };
    const choices = [...new Set([...entry.value.choices, hash])];
    const session = { ...entry.value, record: hash, choices };
    const row = indexRowOf(session);
    const commit = kv.atomic().check(entry)
      .set(entry.key, session, expiring(session, now))
      .set([BY_RECORD, hash, id], row, expiring(row, now));
    return { result: undefined, commit };
  });
}

/** Ends a session by its id, for example to undo a sign-in. */
function endById(
  kv: Deno.Kv,
  id: string,
  addToCommit?: (commit: Deno.AtomicOperation, session: HolderSessionData) => void,
): Promise<void> {
  return transact(async () => {
    const entry = await kv.get<HolderSessionData & StoredSession>([PREFIX, id]);
    if (entry.versionstamp === null) return { result: undefined };
    const commit = kv.atomic();
    addEnd(commit, entry);
    addToCommit?.(commit, entry.value);
    return { result: undefined, commit };
  });
}

/** Adds the end of a session to a commit, which fails if the session has changed. */
function addEnd(
  commit: Deno.AtomicOperation,
  entry: Deno.KvEntry<HolderSessionData & StoredSession>,
): void {
  commit.check(entry).delete(entry.key);
  const [, id] = entry.key;
  for (const hash of entry.value.choices) commit.delete([BY_RECORD, hash, id]);
}

function logSignIn(
  commit: Deno.AtomicOperation,
  hash: string,
  { method, reader }: Pick<HolderSessionData, "method" | "reader">,
  now: number,
): void {
  addAccess(commit, hash, { what: "signed_in", detail: METHODS[method], reader }, now);
}
