import { z } from "zod";
import { inDays } from "../../base/time.ts";
import { defineTable, expires, transact } from "../../platform/kv/mod.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import {
  createSessionStore,
  SESSION,
  SESSION_LIFETIME_MS,
  type StoredSession,
} from "./session_store.ts";
import { recordSessionWrite } from "./stats.ts";
import { surfaceName } from "./surface_name.ts";
import type { Identity } from "./users.ts";

/** The person who is signed in, and since when. */
export interface SignedIn extends Identity {
  /** ISO 8601 in UTC. */
  created_at: string;
}

/** The session record of spec 2.6. */
const session = z.strictObject({
  user_id: z.int(),
  email: z.string(),
  /** The surface that created it. It is invalid on all others. Absent in sessions of early builds. */
  surface: surfaceName.optional(),
  ...SESSION,
});

export type Session = z.infer<typeof session>;

/** The spec's `session:{uuid}`. */
export const sessions = defineTable({
  prefix: "sessions",
  value: session,
  key: ["id"],
  owner: "user",
  lifetime: expires(inDays(SESSION_LIFETIME_MS)),
  per: "signed-in browser",
  privacy: {
    section: "sign_in",
    label: "Sessions",
    text: "For each browser in which you are signed in, your email address and account number, " +
      `with a fingerprint of the browser's cookie, for ${inDays(SESSION_LIFETIME_MS)} or until ` +
      "you sign out.",
  },
});

const cookies = createSessionStore<Omit<Session, keyof StoredSession>>({
  cookie: "app_session",
  prefix: sessions.prefix,
});

export const sessionCookie = cookies.cookie;
export const clearedSessionCookie = cookies.clearedCookie;
export const sessionIdOf = cookies.idOf;

/** Adds a new session to a commit and returns its generated uuid, for the cookie. */
export function createSession(
  commit: Deno.AtomicOperation,
  { user_id, email }: Identity,
  surface: SurfaceName,
  now: number,
): string {
  recordSessionWrite(commit, now);
  return cookies.create(commit, { user_id, email, surface }, now);
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
): Promise<SignedIn | null> {
  const entry = await cookies.find(kv, request, clock());
  if (entry === null || entry.value.surface !== surface) return null;
  const { user_id, email, created_at } = entry.value;
  return { user_id, email, created_at };
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
  const keys = cookies.keysOf(request);
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
  for await (const { key, value } of sessions.list(kv, [])) {
    if (value.email !== email) continue;
    await kv.delete(key);
    count++;
  }
  return count;
}
