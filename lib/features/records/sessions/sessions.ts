/** The session of a request, and the sessions of a record. */
import { isLive, transact } from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import type { SurfaceName } from "../../../platform/surfaces/mod.ts";
import { addAccess } from "../access_log/access_log.ts";
import { ensureRow, readRecord, waitsToCorrect } from "../record/store.ts";
import {
  addEnd,
  BY_RECORD,
  cookies,
  firstSessionOf,
  type HolderSession,
  holderSessions,
  type IndexRow,
  logSignIn,
  type StoredSession,
} from "./table.ts";

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

/** Ends a session by its id, for example to undo a sign-in. */
export function endById(
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
