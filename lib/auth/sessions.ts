import { cookieValues } from "../http/cookies.ts";
import { sha256 } from "../kv/hash.ts";
import { type Expiring, expiring, getLive, isoAfter, transact, whenUnlocked } from "../kv/mod.ts";
import type { SurfaceName } from "../surfaces/mod.ts";
import { DAY_MS, SECOND_MS } from "../time.ts";
import { recordSessionWrite } from "./stats.ts";
import type { Identity } from "./users.ts";

/** The session record of spec 2.6. Times are ISO 8601 in UTC. */
export interface Session extends Identity, Expiring {
  /** The surface that created it. It is invalid on all others. */
  surface: SurfaceName;
  created_at: string;
}

/** Spec section 8: a session lives for 30 days, in the store and in the cookie. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** More session cookies than we set in any browser. KV reads at most ten keys at once. */
const MAX_SESSIONS = 10;

const COOKIE = "app_session";

// Only the form that crypto.randomUUID returns (RFC 9562, version 4), in lower case.
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** The spec's `session:{uuid}`. The uuid is hashed: it exists only in the cookie. */
const sessionKey = (sessionId: string): Deno.KvKey => ["sessions", sha256(sessionId)];

/** Returns the `Set-Cookie` value of a session, with its attributes in the spec's order (4.3). */
export function sessionCookie(sessionId: string): string {
  const maxAge = SESSION_LIFETIME_MS / SECOND_MS;
  return `${COOKIE}=${sessionId}; HttpOnly; Secure; SameSite=Lax; Max-Age=${maxAge}; Path=/`;
}

export const clearedSessionCookie = (): string =>
  `${COOKIE}=; HttpOnly; Secure; SameSite=Lax; Max-Age=0; Path=/`;

/**
 * Returns the session id of a request, or null if the cookie is missing, malformed, or sent more
 * than once, because there is no way to tell which one we set.
 */
export function sessionIdOf(request: Request): string | null {
  const values = cookieValues(request, COOKIE);
  return values.length === 1 && UUID.test(values[0]) ? values[0] : null;
}

/** Adds a new session to a commit and returns its generated uuid, for the cookie. */
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
    expires_at: isoAfter(now, SESSION_LIFETIME_MS),
  };
  commit.set(sessionKey(sessionId), session, expiring(session, now));
  recordSessionWrite(commit, now);
  return sessionId;
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
  const sessionId = sessionIdOf(request);
  if (sessionId === null) return null;
  const entry = await getLive<Session>(kv, sessionKey(sessionId), clock());
  if (entry === null || entry.value.surface !== surface) return null;
  return { user_id: entry.value.user_id, email: entry.value.email };
}

/**
 * Ends every session whose cookie is in the request. A browser may send several cookies with the
 * same name (RFC 6265, 5.3), and signing out must not leave any of them valid.
 *
 * @returns false if there was none
 */
export async function deleteSession(
  kv: Deno.Kv,
  clock: () => number,
  request: Request,
): Promise<boolean> {
  const ids = new Set(cookieValues(request, COOKIE).filter((value) => UUID.test(value)));
  const keys = [...ids].slice(0, MAX_SESSIONS).map(sessionKey);
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
    await whenUnlocked(() => kv.delete(key));
    count++;
  }
  return count;
}
