/** Sessions and passkeys: a session that begins with one, and the new cookie after one was used. */
import { sha256 } from "../../platform/kv/hash.ts";
import { isoAfter, unchecked } from "../../platform/kv/mod.ts";
import { createSession, endSession, type NewSession, sessionCookie, sessions } from "./sessions.ts";
import { sessionUses } from "./session_uses.ts";
import { recordSessionWrite } from "./stats.ts";
import { touchLogin, users } from "./users.ts";

/**
 * Records the use of a passkey in a session, in a commit that fails if the session has ended. The session
 * continues under another cookie, so a copy of the old one gains nothing.
 *
 * @param id SHA-256 of the old cookie's value
 * @returns the `Set-Cookie` value and the new id, or null if there is no such session
 */
export async function renewSession(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  id: string,
  now: number,
): Promise<{ cookie: string; id: string } | null> {
  const entry = await sessions.getLive(kv, now, id);
  if (entry === null) return null;
  const uuid = crypto.randomUUID();
  const { replaces_passkeys: _, ...row } = entry.value;
  const use = await sessionUses.get(kv, row.user_id, id);
  unchecked("A use at this moment may be lost.", use);
  endSession(commit.check(entry), entry);
  const renewed = sha256(uuid);
  if (use.value !== null) sessionUses.set(commit, { ...use.value, session: renewed }, now);
  sessions.put(commit, [renewed], { ...row, passkey_at: isoAfter(now, 0) }, now);
  recordSessionWrite(commit, now);
  return { cookie: sessionCookie(uuid), id: renewed };
}

interface PasskeySession extends Pick<NewSession, "surface" | "device"> {
  user_id: number;
  /** The id of the session that the browser has had so far. It ends. */
  previous: string | null;
}

/**
 * Adds a session that begins with a passkey to a commit.
 *
 * @returns the `Set-Cookie` value and the user's address, or null if there is no such user
 */
export async function startPasskeySession(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { user_id, previous, ...session }: PasskeySession,
  now: number,
): Promise<{ cookie: string; email: string } | null> {
  const [user, before] = await Promise.all([
    users.get(kv, user_id),
    previous === null ? null : sessions.get(kv, previous),
  ]);
  if (user.versionstamp === null) return null;
  const { email } = user.value;
  touchLogin(commit, user, now);
  const started = { ...session, user: { user_id, email }, method: "passkey" } as const;
  const uuid = createSession(commit, started, now);
  if (before?.value) endSession(commit.check(before), before);
  return { cookie: sessionCookie(uuid), email };
}
