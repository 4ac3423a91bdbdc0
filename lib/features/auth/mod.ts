/**
 * Sign-in by a mailed link, without passwords (spec 2.6 and 4.3), over Deno KV: a request creates a
 * token, the token creates one session, and the session identifies the sender of a request.
 *
 * Functions that take a `commit` only add to it: the caller decides what is committed together.
 *
 * @module
 */
import { bind } from "../../base/bind.ts";
import type { RowPosition } from "../../platform/listing/pages.ts";
import type { Failure } from "../../base/result.ts";
import type { Device } from "../../platform/http/device.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { createLastUses } from "../../platform/http/last_use.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import type { Count } from "../../platform/telemetry/mod.ts";
import { createLinkRequests, type LinkRequest, type LinkRequestsOptions } from "./link_requests.ts";
import { deleteUser, type DeleteUserOptions } from "./delete_user.ts";
import { signIns } from "./metrics.ts";
import {
  type AddToSignIn,
  createLinkIds,
  type IssuedLink,
  issueLink,
  type LinkTarget,
  type OpenedBy,
  type SignIn,
  verifyLink,
} from "./links.ts";
import {
  deleteSession,
  getSession,
  sessionCookie,
  type SessionOwner,
  type SignedIn,
} from "./sessions.ts";
import {
  type EndedSessions,
  endSessions,
  listSessions,
  type OpenSession,
} from "./open_sessions.ts";
import { USE_MS } from "./session_uses.ts";
import { wasLinkUsed } from "./used_links.ts";
import { type AuthStats, readStats } from "./stats.ts";
import {
  aboutUser,
  getUser,
  getUserByEmail,
  getUserId,
  type Identity,
  listUsers,
  type User,
  type UserList,
  users,
} from "./users.ts";

import type { AskedRequest } from "./stored_requests.ts";

export { linkRequestSchema } from "./link_requests.ts";
export { LINKS_PER_HOUR, TOKEN_LIFETIME, TOKEN_LIFETIME_MS } from "./link_terms.ts";
export { createMailedLinks, type MailedLinkRequest, RESTORED } from "./mailed_links.ts";
export { clientKey } from "./used_links.ts";
export { landingOn, nextOn, safeNext, signInPath } from "./redirects.ts";
export { type AskedRequest, createStoredRequests, type StoredRequest } from "./stored_requests.ts";
export { exportedMail } from "./exported_mail.ts";
export { ASKED_MS, askedCookie, askedIn } from "./asked_cookie.ts";
export { createSessionStore, SESSION_LIFETIME_MS } from "./session_store.ts";
export {
  type ConsoleSessions,
  createConsoleSessions,
  operatorSessions,
} from "./console_sessions.ts";
export { endSessions } from "./open_sessions.ts";
export { renewSession, startPasskeySession } from "./passkey_sessions.ts";
export { clearedSessionCookie, sessionCookie } from "./sessions.ts";
export { aboutUser, signIns, users };
export type { Identity, OpenSession, SessionOwner, SignedIn, SignIn, User, UserList };

export interface AuthOptions extends Omit<LinkRequestsOptions, "store"> {
  tables: DeleteUserOptions["tables"];
  addToSignIn?: AddToSignIn;
  count?: Count;
}

/** Every method rejects with `KvBusyError` while the store is too busy. */
export interface Auth {
  /** Mails a link after the response, within the limits of spec 8. */
  requestLink(request: LinkRequest): Promise<{ ok: true } | Failure>;
  /** Returns what became of a stored request; null if its mail was prepared, or it is not known. */
  askedRequest(id: string): Promise<AskedRequest | null>;
  /** Mails the links of requests that a process has left behind. */
  resumeRequests(signal: AbortSignal): Promise<void>;
  /** Creates a token without a limit and without a mail, for the operators of the server. */
  issueLink(target: LinkTarget): Promise<IssuedLink>;
  /** Redeems a token, once and within 15 minutes, and starts a session of 30 days. */
  verify(token: string, surface: SurfaceName, by?: OpenedBy): Promise<SignIn | null>;
  /** Returns whether a browser used a link within the last minute. Without a session now, it has kept no cookie. */
  wasLinkUsed(by: { surface: SurfaceName; client: string }): Promise<boolean>;
  /** Starts a session of an address whose mailbox the link of another mail has proved. */
  startSession(
    target: Pick<LinkTarget, "email" | "surface">,
    by?: OpenedBy,
  ): Promise<StartedSession>;
  /** Returns who sent a request. With a device, the use of the session is recorded every hour. */
  getSession(request: Request, surface: SurfaceName, device?: Device): Promise<SignedIn | null>;
  /** Returns the sessions of a user on a surface, the last used one first. */
  sessionsOf(userId: number, surface: SurfaceName): Promise<OpenSession[]>;
  /** Ends sessions, in all processes at once, and returns how many there were. */
  endSessions(ended: EndedSessions): Promise<number>;
  /** Ends the session of a request; false if there was none. */
  logout(request: Request): Promise<boolean>;
  stats(): Promise<AuthStats>;
  /** Returns a page of users, the newest first. `after` is the `next` of the page before. */
  listUsers(after: RowPosition | null): Promise<UserList>;
  readUser(id: number): Promise<User | null>;
  /** Returns the user of a normalised address. */
  findUser(email: string): Promise<User | null>;
  findUserId(email: string): Promise<number | null>;
  /** Deletes the user of a normalised address. `addTo` adds to the commit; false if there is none. */
  deleteUser(
    email: string,
    addTo?: (commit: Deno.AtomicOperation, id: number) => void,
  ): Promise<boolean>;
}

/** A new session, with the values of `Set-Cookie` that give it to the browser. */
interface StartedSession {
  cookies: string[];
  owner: SessionOwner & { id: string };
}

/** Creates sign-in by mailed links. Nothing is read or written before the first call. */
export function createAuth({ secrets, tables, addToSignIn, count, ...options }: AuthOptions): Auth {
  const { kv, clock } = options;
  const store = { kv, clock, ids: createLinkIds(kv) };
  const links = createLinkRequests({ ...options, secrets, store });
  const verify: Auth["verify"] = async (token, surface, by) => {
    const signIn = await verifyLink(kv, clock, token, { surface, ...by }, addToSignIn);
    if (signIn !== null) count?.(signIns, { who: "user", method: "link" });
    return signIn;
  };
  return {
    requestLink: links.request,
    askedRequest: links.asked,
    resumeRequests: links.resume,
    issueLink: (target) => issueLink(store, target),
    verify,
    async startSession(target, by) {
      const created_at = new Date(clock()).toISOString();
      const { token } = await issueLink(store, target);
      const signIn = await verify(token, target.surface, by);
      if (signIn === null) throw new Error("A new link opens a session.");
      const { sessionId, user } = signIn;
      return {
        cookies: [sessionCookie(sessionId)],
        owner: { ...user, created_at, id: sha256(sessionId) },
      };
    },
    sessionsOf: (user_id, surface) => listSessions(store, user_id, [surface]),
    ...bind({ ...store, secrets, tables, uses: createLastUses({ everyMs: USE_MS }) }, {
      wasLinkUsed,
      getSession,
      endSessions,
      logout: deleteSession,
      deleteUser,
    }),
    ...bind(kv, {
      stats: readStats,
      listUsers,
      readUser: getUser,
      findUser: getUserByEmail,
      findUserId: getUserId,
    }),
  };
}
