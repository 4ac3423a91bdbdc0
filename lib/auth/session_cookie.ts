import { cookieValues } from "../http/cookies.ts";

/** Spec section 8: a session lives for 30 days, in the store and in the cookie. */
export const SESSION_LIFETIME_S = 2_592_000;

const NAME = "app_session";

// As crypto.randomUUID writes it (RFC 9562, version 4), and no other way to write the same.
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** The `Set-Cookie` value of a session: the order of its parts is the spec's (4.3). */
export const sessionCookie = (sessionId: string): string =>
  `${NAME}=${sessionId}; HttpOnly; Secure; SameSite=Lax; Max-Age=${SESSION_LIFETIME_S}; Path=/`;

/** The `Set-Cookie` value that ends it in the browser; its scope must be the same. */
export const clearedSessionCookie = (): string =>
  `${NAME}=; HttpOnly; Secure; SameSite=Lax; Max-Age=0; Path=/`;

/**
 * The session id that a request carries, or null where there is none that we could have given: a
 * malformed one, or several, of which nobody knows whose they are.
 */
export function sessionIdOf(request: Request): string | null {
  const values = valuesOf(request);
  return values.length === 1 && UUID.test(values[0]) ? values[0] : null;
}

/**
 * Every session id that a request carries, for whoever signs out: a browser may keep several under
 * one name, each for a path or domain of its own (RFC 6265, 5.3).
 */
export const sessionIdsOf = (request: Request): string[] =>
  [...new Set(valuesOf(request))].filter((value) => UUID.test(value));

const valuesOf = (request: Request) => cookieValues(request, NAME);
