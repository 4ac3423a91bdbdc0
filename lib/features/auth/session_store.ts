/** Cookies and rows of sessions of any kind, from which each kind of sign-in creates its own store. */
import { cookieValues } from "../../platform/http/cookies.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { z } from "zod";
import { EXPIRING, getLive } from "../../platform/kv/mod.ts";
import { DAY_MS, SECOND_MS } from "../../base/time.ts";

/** Spec 8: a session lives for 30 days, in the store and in the cookie. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** More session cookies than we set in any browser. A commit checks at most nine rows. */
const MAX_COOKIES = 9;

// Only the form that crypto.randomUUID returns (RFC 9562, version 4), in lower case.
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** The columns that every stored session has, for the schema of its table. */
export const SESSION = {
  /** ISO 8601 in UTC. */
  created_at: z.iso.datetime(),
  ...EXPIRING,
};

export type StoredSession = z.infer<z.ZodObject<typeof SESSION>>;

/** The sessions of one kind: their cookie and their rows `[prefix, sha256 of the cookie's uuid]`. */
interface SessionStore<Data extends object> {
  /** Returns the live session of a request, or null. */
  find(
    kv: Deno.Kv,
    request: Request,
    now: number,
  ): Promise<Deno.KvEntry<Data & StoredSession> | null>;
  /**
   * Returns the session id of a request, or null if the cookie is missing, malformed, or sent more
   * than once, because there is no way to tell which one we set.
   */
  idOf(request: Request): string | null;
  /**
   * Returns the keys of every session whose cookie is in the request. A browser may send several
   * cookies with the same name (RFC 6265, 5.3), and signing out must not leave any of them valid.
   */
  keysOf(request: Request): Deno.KvKey[];
  /** Returns the key of a session's row. */
  key(id: string): Deno.KvKey;
  /** Returns the `Set-Cookie` value of a session, with its attributes in the order of spec 4.3. */
  cookie(id: string): string;
  clearedCookie(): string;
}

/**
 * Creates the sessions of one kind.
 *
 * @example
 * ```ts
 * const sessions = createSessionStore<{ user_id: number }>({ cookie: "app_session", prefix: "sessions" });
 * const id = crypto.randomUUID();
 * commit.set(sessions.key(id), row, expiring(row, now));
 * headers.append("set-cookie", sessions.cookie(id));
 * ```
 */
export function createSessionStore<Data extends object>(
  { cookie: name, prefix }: { cookie: string; prefix: string },
): SessionStore<Data> {
  const key = (id: string): Deno.KvKey => [prefix, sha256(id)];
  const cookie = (value: string, maxAge: number) =>
    `${name}=${value}; HttpOnly; Secure; SameSite=Lax; Max-Age=${maxAge}; Path=/`;
  function idOf(request: Request): string | null {
    const values = cookieValues(request, name);
    return values.length === 1 && UUID.test(values[0]) ? values[0] : null;
  }
  return {
    key,
    idOf,
    async find(kv, request, now) {
      const id = idOf(request);
      return id === null ? null : await getLive<Data & StoredSession>(kv, key(id), now);
    },
    keysOf(request) {
      const ids = new Set(cookieValues(request, name).filter((value) => UUID.test(value)));
      return [...ids].slice(0, MAX_COOKIES).map(key);
    },
    cookie: (id) => cookie(id, SESSION_LIFETIME_MS / SECOND_MS),
    clearedCookie: () => cookie("", 0),
  };
}
