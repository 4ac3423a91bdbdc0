/** The sessions of people who sign in by mail or passkey: their table, and creating, finding and ending one. */
import { z } from "zod";
import { inDays } from "../../base/time.ts";
import type { Device } from "../../platform/http/device.ts";
import type { LastUses } from "../../platform/http/last_use.ts";
import { defineTable, expires, isoAfter, transact } from "../../platform/kv/mod.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import {
  createSessionStore,
  SESSION,
  SESSION_LIFETIME_MS,
  type StoredSession,
} from "./session_store.ts";
import { noteSessionUse, sessionUses } from "./session_uses.ts";
import { recordSessionWrite } from "./stats.ts";
import { surfaceName } from "./surface_name.ts";
import type { Identity } from "./users.ts";

/** The session record of spec 2.6. */
const session = z.strictObject({
  user_id: z.int(),
  email: z.string(),
  /** The surface that created it. It is invalid on all others. Absent in sessions of early builds. */
  surface: surfaceName.optional(),
  ...SESSION,
  /** Present if it began with a passkey rather than a link. */
  method: z.literal("passkey").optional(),
  /** When a passkey was last used in it. Only on consoles. */
  passkey_at: z.iso.datetime().optional(),
  /**
   * True if it began with a link from the command `sign-in-link`: a passkey that is added soon replaces
   * all others, which may be lost.
   */
  replaces_passkeys: z.literal(true).optional(),
});

export type Session = z.infer<typeof session>;

/** The spec's `session:{uuid}`. */
export const sessions = defineTable({
  prefix: "sessions",
  value: session,
  key: ["id"],
  indexes: { sessions_by_user: ["user_id"] },
  owner: { user: "user_id" },
  lifetime: expires(inDays(SESSION_LIFETIME_MS)),
  per: "signed-in browser",
  privacy: [{
    section: "sign_in",
    label: "Sessions",
    text: "For each browser in which you are signed in, your email address and account number, " +
      `with a fingerprint of the browser's cookie, for ${inDays(SESSION_LIFETIME_MS)} or until ` +
      "you sign out.",
  }, { section: "consoles", label: "Sessions" }],
});

const cookies = createSessionStore<Omit<Session, keyof StoredSession>>({
  cookie: "app_session",
  prefix: sessions.prefix,
});

export const sessionCookie = cookies.cookie;
export const clearedSessionCookie = cookies.clearedCookie;
export const sessionIdOf = cookies.idOf;

/** The person of a session and when it began, which never change. */
export interface SessionOwner extends Identity {
  /** ISO 8601 in UTC. */
  created_at: string;
}

/** The person who is signed in, and the session. */
export interface SignedIn extends SessionOwner {
  /** SHA-256 of the cookie's value, which identifies the session in the store. */
  id: string;
  /** Its row, as it was read. */
  row: Deno.AtomicCheck;
  /** ISO 8601 in UTC. */
  expires_at: string;
  /** How it began. */
  method: "link" | "passkey";
  /** When a passkey was last used in it, ISO 8601 in UTC; null if none was, and where there is no console. */
  passkey_at: string | null;
  /** True if a passkey that is added now replaces all others. */
  replaces_passkeys: boolean;
}

export interface NewSession extends Pick<Session, "method" | "replaces_passkeys"> {
  user: Identity;
  surface: SurfaceName;
  /** Only on consoles, whose operators see their sessions. */
  device?: Device;
}

/** Adds a new session to a commit and returns its generated uuid, for the cookie. */
export function createSession(
  commit: Deno.AtomicOperation,
  { user: { user_id, email }, surface, device, method, replaces_passkeys }: NewSession,
  now: number,
): string {
  const id = crypto.randomUUID();
  const row: Session = {
    user_id,
    email,
    surface,
    created_at: isoAfter(now, 0),
    expires_at: isoAfter(now, SESSION_LIFETIME_MS),
    ...method && { method, passkey_at: isoAfter(now, 0) },
    ...replaces_passkeys && { replaces_passkeys },
  };
  const session = sha256(id);
  sessions.put(commit, [session], row, now);
  if (device !== undefined) {
    const { expires_at } = row;
    sessionUses.set(commit, { user_id, session, used_at: null, device, expires_at }, now);
  }
  recordSessionWrite(commit, now);
  return id;
}

/** Adds the end of a session to a commit. */
export function endSession(commit: Deno.AtomicOperation, { key, value }: Deno.KvEntry<Session>) {
  sessions.deleteAt(commit, [key[1]], value);
  commit.delete(sessionUses.key(value.user_id, String(key[1])));
}

/**
 * Returns who sent a request, from its `app_session` cookie (spec 4.3).
 *
 * @param device on consoles, records the use of the session at most once an hour
 * @returns null if the cookie or its session is missing, if the session has expired, or if it
 * belongs to another surface or, if an earlier version created it, to none
 */
export async function getSession(
  { kv, clock, uses }: { kv: Deno.Kv; clock: () => number; uses: LastUses },
  request: Request,
  surface: SurfaceName,
  device?: Device,
): Promise<SignedIn | null> {
  const now = clock();
  const entry = await cookies.find(kv, request, now);
  if (entry === null || entry.value.surface !== surface) return null;
  if (device !== undefined) await noteSessionUse({ kv, uses }, entry, device, now);
  const { user_id, email, created_at, expires_at, method = "link", passkey_at = null } =
    entry.value;
  const replaces_passkeys = entry.value.replaces_passkeys ?? false;
  const id = String(entry.key[1]);
  const row = { key: entry.key, versionstamp: entry.versionstamp };
  return { id, row, user_id, email, created_at, expires_at, method, passkey_at, replaces_passkeys };
}

/**
 * Ends every session whose cookie is in the request.
 *
 * @returns false if there was none
 */
export async function deleteSession(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  request: Request,
): Promise<boolean> {
  const keys = cookies.keysOf(request);
  if (keys.length === 0) return false;
  return await transact(async () => {
    const found = (await kv.getMany<Session[]>(keys)).filter(({ versionstamp }) =>
      versionstamp !== null
    );
    if (found.length === 0) return { result: false };
    const commit = kv.atomic().check(...found);
    for (const entry of found) endSession(commit, entry as Deno.KvEntry<Session>);
    recordSessionWrite(commit, clock());
    return { result: true, commit };
  });
}
