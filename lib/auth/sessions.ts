import { type Expiring, expiring, getLive, isoAfter, transact, whenUnlocked } from "../kv/mod.ts";
import { sha256 } from "../kv/hash.ts";
import type { SurfaceName } from "../surfaces/mod.ts";
import { SESSION_LIFETIME_S, sessionIdOf, sessionIdsOf } from "./session_cookie.ts";
import { noteSessionWrite } from "./stats.ts";
import type { Identity } from "./users.ts";

/** The session record of spec 2.6. Times are ISO 8601 in UTC. */
export interface Session extends Identity, Expiring {
  /** The surface that created it. It is valid on no other. */
  surface: SurfaceName;
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
  surface: SurfaceName,
  now: number,
): string {
  const sessionId = crypto.randomUUID();
  const session: Session = {
    user_id,
    email,
    surface,
    created_at: new Date(now).toISOString(),
    expires_at: isoAfter(now, SESSION_LIFETIME_S * 1000),
  };
  commit.set(sessionKey(sessionId), session, expiring(session, now));
  noteSessionWrite(commit, now);
  return sessionId;
}

/**
 * Returns who sends a request, by its `app_session` cookie (spec 4.3).
 *
 * @returns null if the cookie or its session is missing, if the session belongs to another surface
 * or to none, as those of earlier versions do, or if its 30 days are over
 */
export async function getSession(
  kv: Deno.Kv,
  clock: () => number,
  request: Request,
  surface: SurfaceName,
): Promise<Identity | null> {
  const sessionId = sessionIdOf(request);
  if (sessionId === null) return null;
  const entry = await getLive<Session>(kv, sessionKey(sessionId), clock());
  if (entry === null || entry.value.surface !== surface) return null;
  return { user_id: entry.value.user_id, email: entry.value.email };
}

/** As many as one read takes, and more than any browser has of ours. */
const MAX_SESSIONS = 10;

/**
 * Ends the session that a request carries; of several, which `getSession` does not tell apart, all.
 *
 * @returns false where there was none
 */
export async function deleteSession(
  kv: Deno.Kv,
  clock: () => number,
  request: Request,
): Promise<boolean> {
  const keys = sessionIdsOf(request).slice(0, MAX_SESSIONS).map(sessionKey);
  if (keys.length === 0) return false;
  return await transact(async () => {
    const found = (await kv.getMany(keys)).filter(({ versionstamp }) => versionstamp !== null);
    if (found.length === 0) return { result: false };
    const commit = kv.atomic().check(...found);
    for (const { key } of found) commit.delete(key);
    noteSessionWrite(commit, clock());
    return { result: true, commit };
  });
}

/**
 * Deletes all sessions of an address. They are found by a walk through all: it is seldom done.
 *
 * @returns how many there were
 */
export async function deleteSessionsOf(kv: Deno.Kv, email: string): Promise<number> {
  let count = 0;
  for await (const { key, value } of kv.list<Session>({ prefix: ["sessions"] })) {
    if (value.email !== email) continue;
    await whenUnlocked(() => kv.delete(key));
    count++;
  }
  return count;
}
