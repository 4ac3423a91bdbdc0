/** Cookies that identify a browser, so that a sign-in can be completed only where it began. */
import { encodeBase64Url } from "../../base/encoding.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { cookieValues } from "./cookies.ts";

/** A cookie with a random id, which binds a sign-in or request to the browser that started it. */
export interface BrowserCookie {
  /**
   * Returns the id of the browser that sent a request. Null if the cookie is missing, malformed, or
   * sent more than once.
   */
  idOf(request: Request): string | null;
  /**
   * Returns the browser's id, or a new one, with the `Set-Cookie` value that keeps it for another
   * lifetime. A known id is kept, because something else may be bound to it.
   */
  ensure(request: Request): { id: string; cookie: string };
  /** Returns the `Set-Cookie` value that makes the browser forget its id. */
  cleared(): string;
}

const ID = /^[\w-]{22}$/;

/** Creates the cookie of a name. */
export function browserCookie(name: string, lifetimeMs: number): BrowserCookie {
  const cookieOf = (id: string, maxAge: number) =>
    `${name}=${id}; HttpOnly; Secure; SameSite=Lax; Max-Age=${maxAge}; Path=/`;
  const idOf = (request: Request) => {
    const values = cookieValues(request, name);
    return values.length === 1 && ID.test(values[0]) ? values[0] : null;
  };
  return {
    idOf,
    ensure(request) {
      const id = idOf(request) ?? encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)));
      return { id, cookie: cookieOf(id, lifetimeMs / SECOND_MS) };
    },
    cleared: () => cookieOf("", 0),
  };
}

/**
 * How long a browser keeps its id after the last request that needed one: as long as a sign-in link
 * and the code that it may show are valid together, which is longer than other codes and challenges.
 */
export const BROWSER_LIFETIME_MS = 30 * MINUTE_MS;

/** The cookie that binds the codes and challenges of a sign-in to a browser. */
export const {
  idOf: browserIdOf,
  ensure: ensureBrowserId,
  cleared: clearedBrowserCookie,
} = browserCookie("record_browser", BROWSER_LIFETIME_MS);
