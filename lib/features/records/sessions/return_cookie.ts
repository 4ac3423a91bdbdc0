/** The cookie with the page to return to after signing in again. */
import { cookieValues } from "../../../platform/http/cookies.ts";
import { SECOND_MS } from "../../../base/time.ts";
import { BROWSER_LIFETIME_MS } from "../../../platform/http/browser_cookie.ts";

const COOKIE = "record_return";

/** The pages below `/my-record` for what a holder does, to which a sign-in can return. */
const ACTIONS = ["correct", "declaration", "delete", "key", "notifications", "number", "requests"];

const SHARE = /^share[.]([0-9A-HJKMNP-TV-Z]{16})$/;

/** Returns the path of the page with a name in the cookie; null if there is none. */
function pathOf(name: string): string | null {
  if (name === "accept") return "/accept";
  if (ACTIONS.includes(name)) return `/my-record/${name}`;
  const document = SHARE.exec(name)?.[1];
  return document === undefined ? null : `/my-record/share?document=${document}`;
}

/**
 * Returns the address where a holder signs in again, and then returns to the page that asked for it, if that is one
 * of those below `/my-record`.
 *
 * @param from the address of that page, without its host
 * @example
 * signInAgainPath({ pathname: "/my-record/number" }); // "/my-record?again=number"
 */
export function signInAgainPath(
  { pathname, searchParams }: { pathname: string; searchParams?: URLSearchParams },
): string {
  const name = pathname.slice("/my-record/".length);
  const document = searchParams?.get("document")?.toUpperCase().replaceAll("-", "");
  const wanted = name === "share" ? `share.${document}` : name;
  return `/my-record?again=${wanted !== "accept" && pathOf(wanted) !== null ? wanted : "1"}`;
}

const cookie = (value: string, maxAge: number) =>
  `${COOKIE}=${value}; HttpOnly; Secure; SameSite=Lax; Max-Age=${maxAge}; Path=/my-record`;

/** Returns the `Set-Cookie` value with which a browser that signs in to a record returns to a page. */
export const returnCookie = (page: string): string =>
  cookie(pathOf(page) === null ? "" : page, BROWSER_LIFETIME_MS / SECOND_MS);

/** Returns the `Set-Cookie` value that makes a browser stay at the record after it has signed in. */
export const clearedReturnCookie = (): string => cookie("", 0);

/** Returns the path of the page that the browser of a request returns to; null if there is none. */
export function returnOf(request: Request): string | null {
  const values = cookieValues(request, COOKIE);
  return values.length === 1 ? pathOf(values[0]) : null;
}
