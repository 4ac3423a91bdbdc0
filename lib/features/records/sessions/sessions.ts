import { z } from "zod";
import { createSessionStore, SESSION_LIFETIME_MS } from "../../auth/mod.ts";
import { sha256 } from "../../../platform/kv/hash.ts";
import {
  defineTable,
  expires,
  EXPIRING,
  isLive,
  isoAfter,
  transact,
  unchecked,
} from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { SURFACE_NAMES, type SurfaceName } from "../../../platform/surfaces/mod.ts";
import { eachOf } from "../../../base/slots.ts";
import { inDays, MINUTE_MS } from "../../../base/time.ts";
import { addAccess, type Reader, storedReader } from "../access_log/access_log.ts";
import { readKept } from "./kept_session.ts";
import { ensureRow, readRecord, type RecordEntry, waitsToCorrect } from "../record/store.ts";

/** Sensitive actions require a sign-in within this time (docs/records.md). */
const RECENT_MS = 10 * MINUTE_MS;

/** ISO 8601 in UTC. */
const time = z.iso.datetime();

const storedSession = z.strictObject({
  /** The surface that created it. It is invalid on all others. */
  surface: z.enum(SURFACE_NAMES),
  /** The record that is open; null until the holder has chosen one of several. */
  record: z.string().nullable(),
  /** Every record that this sign-in may open. */
  choices: z.array(z.string()),
  /** How the holder signed in. */
  method: z.enum(["passkey", "link", "link_code", "code"]),
  /** The time until which sensitive actions are allowed. */
  recent_until: time,
  reader: storedReader,
  /**
   * The id of the first of several sessions that replaced each other in one browser. Absent in the
   * first session.
   */
  continues: z.string().optional(),
  created_at: time,
  ...EXPIRING,
});

type StoredSession = z.infer<typeof storedSession>;
export type SignInMethod = StoredSession["method"];

const BY_RECORD = "record_sessions_by_record";

type IndexRow = Pick<StoredSession, "expires_at" | "continues">;

/** The sessions of holders. They end with each of the records that they may open. */
export const holderSessions = defineTable({
  prefix: "record_sessions",
  value: storedSession,
  key: ["id"],
  indexes: {
    [BY_RECORD]: {
      columns: ["choices"],
      value: ({ expires_at, continues }: StoredSession): IndexRow => ({
        expires_at,
        ...continues === undefined ? {} : { continues },
      }),
    },
  },
  owner: { record: "choices" },
  lifetime: expires(inDays(SESSION_LIFETIME_MS)),
  per: "browser that is signed in to a record",
  privacy: {
    section: "record",
    label: "Sessions",
    text: "For each browser in which you are signed in: the records that you may open, how you " +
      "signed in, your network and the name of your browser, with a fingerprint of its cookie, " +
      `for ${inDays(SESSION_LIFETIME_MS)} or until you sign out.`,
  },
});

export interface HolderSession extends StoredSession {
  /** SHA-256 of the cookie's value, which identifies the session in the store. */
  id: string;
  /** Its row, as it was read. */
  row: Deno.AtomicCheck;
  /** When the open record will be deleted; until then it is closed. Null if it is not closed. */
  closed: string | null;
  /** True if the open record is a correction that is not in force. */
  waiting: boolean;
  /** The open record, read together with the session. Null if none is open, or if it was deleted. */
  opened: RecordEntry | null;
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

/** The most records that a session may open: more than one person registers. */
export const MAX_CHOICES = 20;

const cookies = createSessionStore<StoredSession>({
  cookie: "record_session",
  prefix: holderSessions.prefix,
});

export const clearedRecordCookie = cookies.clearedCookie;

const METHODS: Record<SignInMethod, string> = {
  passkey: "with a passkey",
  link: "with a mailed link",
  link_code: "with a mailed link and its code",
  code: "with a code",
};

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

/** Returns the holder who sent a request, or null if there is no valid session for this surface. */
export async function findSession(
  kv: Deno.Kv,
  request: Request,
  surface: SurfaceName,
  now: number,
): Promise<HolderSession | null> {
  const entry = await cookies.find(kv, request, now);
  if (entry === null || entry.value.surface !== surface) return null;
  const { record } = entry.value;
  const opened = record === null ? null : await readRecord(kv, record);
  return {
    ...entry.value,
    id: String(entry.key[1]),
    row: { key: entry.key, versionstamp: entry.versionstamp },
    opened,
    closed: opened?.row.deletion_at ?? null,
    waiting: opened !== null && await waitsToCorrect(kv, opened),
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
    const [entry, record] = await Promise.all([holderSessions.get(kv, id), readRecord(kv, hash)]);
    if (entry.versionstamp === null) return { result: fail("unauthenticated") };
    const session = entry.value;
    if (record === null || !session.choices.includes(hash)) return { result: fail("not_found") };
    const commit = kv.atomic().check(record.contact, record.entry);
    holderSessions.replace(commit, entry, { ...session, record: hash }, now);
    ensureRow(commit, record);
    logSignIn(commit, hash, session, now);
    return { result: { ok: true as const }, commit };
  });
}

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
  const others = [...new Set(ids)].filter((id) => !live.has(id));
  for (const { key, value } of await holderSessions.getMany(kv, others.map((id) => [id]))) {
    if (isLive(value, now)) live.add(String(key[1]));
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
  for (const key of cookies.keysOf(request)) {
    const id = String(key[1]);
    const { value } = await holderSessions.get(kv, id);
    const first = firstSessionOf({ id, continues: value?.continues });
    for (const hash of value?.choices ?? []) await leave(hash, first);
    await endById(kv, id, (commit, { record, reader }) => {
      if (record !== null) addAccess(commit, record, { what: "signed_out", reader }, clock());
    });
  }
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
  await eachOf(await sessionIds(kv, from), (id) => moveSession(kv, id, from, to, now));
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
  await eachOf(await sessionIds(kv, from), async (id) => {
    const { value } = await holderSessions.get(kv, id);
    if (value === null || value.choices.includes(to)) await moveSession(kv, id, from, to, now);
    else await endById(kv, id);
  });
}

const sessionIds = (kv: Deno.Kv, hash: string): Promise<string[]> =>
  Array.fromAsync(kv.list({ prefix: [BY_RECORD, hash] }), ({ key }) => String(key[2]));

async function moveSession(
  kv: Deno.Kv,
  id: string,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  await transact(async () => {
    const entry = await holderSessions.get(kv, id);
    const commit = kv.atomic().delete([BY_RECORD, from, id]);
    if (entry.versionstamp !== null) {
      const { record, choices } = entry.value;
      holderSessions.replace(commit, entry, {
        ...entry.value,
        record: record === from ? to : record,
        choices: [...new Set(choices.map((hash) => hash === from ? to : hash))],
      }, now);
    }
    return { result: undefined, commit };
  });
}

/** Opens a correction that is not in force yet in the session of the record that it corrects. */
export function openCorrection(
  kv: Deno.Kv,
  { id }: { id: string },
  hash: string,
  now: number,
): Promise<void> {
  return transact(async () => {
    const entry = await holderSessions.get(kv, id);
    if (entry.versionstamp === null) return { result: undefined };
    const choices = [...new Set([...entry.value.choices, hash])];
    const commit = kv.atomic();
    holderSessions.replace(commit, entry, { ...entry.value, record: hash, choices }, now);
    return { result: undefined, commit };
  });
}

/** Ends a session by its id, for example to undo a sign-in. */
function endById(
  kv: Deno.Kv,
  id: string,
  addToCommit?: (commit: Deno.AtomicOperation, session: StoredSession) => void,
): Promise<void> {
  return transact(async () => {
    const entry = await holderSessions.get(kv, id);
    if (entry.versionstamp === null) return { result: undefined };
    const commit = kv.atomic();
    addEnd(commit, id, entry);
    addToCommit?.(commit, entry.value);
    return { result: undefined, commit };
  });
}

/** Adds the end of a session to a commit, which fails if the session has changed. */
function addEnd(
  commit: Deno.AtomicOperation,
  id: string,
  entry: Deno.KvEntry<StoredSession>,
): void {
  holderSessions.deleteAt(commit.check(entry), [id], entry.value);
}

function logSignIn(
  commit: Deno.AtomicOperation,
  hash: string,
  { method, reader }: Pick<StoredSession, "method" | "reader">,
  now: number,
): void {
  addAccess(commit, hash, { what: "signed_in", detail: METHODS[method], reader }, now);
}
