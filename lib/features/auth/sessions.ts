import { transact } from "../../platform/kv/mod.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import { createSessionStore, type StoredSession } from "./session_store.ts";
import { recordSessionWrite } from "./stats.ts";
import type { Identity } from "./users.ts";

interface SessionData extends Identity {
  /** The surface that created it. It is invalid on all others. */
  surface: SurfaceName;
}

/** The session record of spec 2.6. */
export type Session = SessionData & StoredSession;

/** The spec's `session:{uuid}`. */
const sessions = createSessionStore<SessionData>({ cookie: "app_session", prefix: "sessions" });

export const sessionCookie = sessions.cookie;
export const clearedSessionCookie = sessions.clearedCookie;
export const sessionIdOf = sessions.idOf;

/** Adds a new session to a commit and returns its generated uuid, for the cookie. */
export function createSession(
  commit: Deno.AtomicOperation,
  { user_id, email }: Identity,
  surface: SurfaceName,
  now: number,
): string {
  recordSessionWrite(commit, now);
  return sessions.create(commit, { user_id, email, surface }, now);
}

/**
 * Returns who sent a request, from its `app_session` cookie (spec 4.3).
 *
 * @returns null if the cookie or its session is missing, if the session has expired, or if it
 * belongs to another surface or, if an earlier version created it, to none
 */
export async function getSession(
  kv: Deno.Kv,
  clock: () => number,
  request: Request,
  surface: SurfaceName,
): Promise<Identity | null> {
  const entry = await sessions.find(kv, request, clock());
  if (entry === null || entry.value.surface !== surface) return null;
  return { user_id: entry.value.user_id, email: entry.value.email };
}

/**
 * Ends every session whose cookie is in the request.
 *
 * @returns false if there was none
 */
export async function deleteSession(
  kv: Deno.Kv,
  clock: () => number,
  request: Request,
): Promise<boolean> {
  const keys = sessions.keysOf(request);
  if (keys.length === 0) return false;
  return await transact(async () => {
    const found = (await kv.getMany(keys)).filter(({ versionstamp }) => versionstamp !== null);
    if (found.length === 0) return { result: false };
    const commit = kv.atomic().check(...found);
    for (const { key } of found) commit.delete(key);
    recordSessionWrite(commit, clock());
    return { result: true, commit };
  });
}

/**
 * Deletes all sessions of an address and returns how many there were. Scans every session, which is
 * acceptable because accounts are rarely deleted.
 */
export async function deleteSessionsOf(kv: Deno.Kv, email: string): Promise<number> {
  let count = 0;
  for await (const { key, value } of kv.list<Session>({ prefix: ["sessions"] })) {
    if (value.email !== email) continue;
    await kv.delete(key);
    count++;
  }
  return count;
}
