/**
 * Sign-in by a mailed link, without passwords (spec 2.6 and 4.3), over Deno KV: a request makes a
 * token, the token once makes a session, and the session says who sends a request. It sends no
 * mail and answers no request; the clock and the store are the caller's.
 *
 * Functions that take a `commit` only add to it: whoever made it decides what takes effect
 * together.
 *
 * @module
 */
import { createQueue } from "../kv/mod.ts";
import { type LinkRequest, type LinkResult, requestLink } from "./request_link.ts";
import { deleteSession, getSession } from "./sessions.ts";
import { type AuthStats, readStats } from "./stats.ts";
import type { SurfaceName } from "../surfaces/mod.ts";
import type { Identity } from "./users.ts";
import { type SignIn, verifyLink } from "./verify_link.ts";

export { deleteUser } from "./delete_user.ts";
export { normaliseEmail } from "./email.ts";
export { TOKEN_LIFETIME_MS } from "./magic_tokens.ts";
export { safeNext } from "./next.ts";
export { clearedSessionCookie, SESSION_LIFETIME_S, sessionCookie } from "./session_cookie.ts";
export { getUser, getUserByEmail, type User } from "./users.ts";
export type { AuthStats, Identity, LinkRequest, LinkResult, SignIn };

export interface AuthOptions {
  kv: Deno.Kv;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Sign-in requests an hour from one client address, 5,000 at most; 0 for no limit. */
  clientLimit: number;
}

/** All of sign-in. Every method rejects with `KvBusyError` where the store stays too busy. */
export interface Auth {
  /** Makes a token to mail for a well-formed address, known or not, three times an hour. */
  requestLink(request: LinkRequest): Promise<LinkResult>;
  /** Takes a token, once and within 15 minutes, and begins a session of 30 days. */
  verify(token: string, surface: SurfaceName): Promise<SignIn | null>;
  /** Who sends a request, or null. */
  getSession(request: Request): Promise<Identity | null>;
  /** Ends the session of a request; false where there was none. */
  logout(request: Request): Promise<boolean>;
  stats(): Promise<AuthStats>;
}

/**
 * Puts the parts of sign-in together.
 *
 * @example
 * ```ts
 * const auth = createAuth({ kv, clock: Date.now, clientLimit: 30 });
 * const asked = await auth.requestLink({ email, clientAddress, surface: "site", next: "/account" });
 * if (asked.ok) {
 *   const signIn = await auth.verify(asked.token, "site");
 *   if (signIn) headers.append("set-cookie", sessionCookie(signIn.sessionId));
 * }
 * ```
 */
export function createAuth({ kv, clock, clientLimit }: AuthOptions): Auth {
  const enqueue = createQueue(); // every request increments the token id counter
  return {
    requestLink: (request) => enqueue(() => requestLink(kv, clock, clientLimit, request)),
    verify: (token, surface) => verifyLink(kv, clock, token, surface),
    getSession: (request) => getSession(kv, clock, request),
    logout: (request) => deleteSession(kv, clock, request),
    stats: () => readStats(kv),
  };
}
