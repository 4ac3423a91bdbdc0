import { encodeBase64Url } from "../encoding.ts";
import { MINUTE_MS, SECOND_MS } from "../time.ts";
import { cookieValues } from "./cookies.ts";

/**
 * How long a browser keeps its id after the last request that needed one: as long as a sign-in link
 * is valid, which is longer than a code or challenge.
 */
export const BROWSER_LIFETIME_MS = 15 * MINUTE_MS;

const NAME = "record_browser";
const ID = /^[\w-]{22}$/;

/**
 * Returns the id of the browser that sent a request, which binds codes and challenges to it. Null if
 * the cookie is missing, malformed, or sent more than once.
 */
export function browserIdOf(request: Request): string | null {
  const values = cookieValues(request, NAME);
  return values.length === 1 && ID.test(values[0]) ? values[0] : null;
}

/**
 * Returns the browser's id, or a new one, with the `Set-Cookie` value that keeps it for 15 more
 * minutes. A known id is kept, because a code or challenge of another step may be bound to it.
 */
export function ensureBrowserId(request: Request): { id: string; cookie: string } {
  const id = browserIdOf(request) ?? encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  return { id, cookie: cookieOf(id, BROWSER_LIFETIME_MS / SECOND_MS) };
}

/** Returns the `Set-Cookie` value that makes the browser forget its id. */
export const clearedBrowserCookie = (): string => cookieOf("", 0);

const cookieOf = (id: string, maxAge: number) =>
  `${NAME}=${id}; HttpOnly; Secure; SameSite=Lax; Max-Age=${maxAge}; Path=/`;
