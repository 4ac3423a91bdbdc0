import { type Expiring, expiring, getLive, isoAfter, transact } from "../kv/mod.ts";
import { sha256 } from "./hash.ts";
import { SESSION_LIFETIME_S, sessionIdOf } from "./session_cookie.ts";
import { noteSessionWrite } from "./stats.ts";
import type { Identity } from "./users.ts";

/** The session record of spec 2.6. Times are ISO 8601 in UTC. */
export interface Session extends Identity, Expiring {
  created_at: string;
}

/** The spec's `session:{uuid}`, with the uuid hashed: it stands in the cookie and nowhere else. */
const sessionKey = (sessionId: string): Deno.KvKey => ["sessions", sha256(sessionId)];

/**
 * Adds a new session to a commit. Its id is always a fresh one, so nobody can plant theirs.
 *
 * @returns the uuid for the cookie
 */
export function createSession(
  commit: Deno.AtomicOperation,
  { user_id, email }: Identity,
  now: number,
): string {
  const sessionId = crypto.randomUUID();
  const session: Session = {
    user_id,
    email,
    created_at: new Date(now).toISOString(),
    expires_at: isoAfter(now, SESSION_LIFETIME_S * 1000),
  };
  commit.set(sessionKey(sessionId), session, expiring(session, now));
  noteSessionWrite(commit, now);
  return sessionId;
}

/**
 * Who sends a request, by its `app_session` cookie (spec 4.3).
 *
 * @returns null where the cookie or its session is missing, or its 30 days are over
 */
export async function getSession(
  kv: Deno.Kv,
  clock: () => number,
  request: Request,
): Promise<Identity | null> {
  const sessionId = sessionIdOf(request);
  if (sessionId === null) return null;
  const entry = await getLive<Session>(kv, sessionKey(sessionId), clock());
  return entry && { user_id: entry.value.user_id, email: entry.value.email };
}

/**
 * Ends the session that a request carries.
 *
 * @returns false where there was none
 */
export async function deleteSession(
  kv: Deno.Kv,
  clock: () => number,
  request: Request,
): Promise<boolean> {
  const sessionId = sessionIdOf(request);
  if (sessionId === null) return false;
  return await transact(async () => {
    const entry = await kv.get(sessionKey(sessionId));
    if (entry.versionstamp === null) return { result: false };
    const commit = kv.atomic().check(entry).delete(entry.key);
    noteSessionWrite(commit, clock());
    return { result: true, commit };
  });
}

/** Deletes all of a user's sessions. They are found by a walk through all: it is seldom done. */
export async function deleteSessionsOf(kv: Deno.Kv, userId: number): Promise<void> {
  for await (const { key, value } of kv.list<Session>({ prefix: ["sessions"] })) {
    if (value.user_id === userId) await kv.delete(key);
  }
}
