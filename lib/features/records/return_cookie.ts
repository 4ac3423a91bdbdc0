import { cookieValues } from "../../platform/http/cookies.ts";
import { SECOND_MS } from "../../base/time.ts";
import { BROWSER_LIFETIME_MS } from "../../platform/http/browser_cookie.ts";

const COOKIE = "record_return";

/** The pages that a sign-in can return to, by the names in the cookie. */
const PAGES = { accept: "/accept" } as const;

type ReturnPage = keyof typeof PAGES;

const cookie = (value: string, maxAge: number) =>
  `${COOKIE}=${value}; HttpOnly; Secure; SameSite=Lax; Max-Age=${maxAge}; Path=/my-record`;

/** Returns the `Set-Cookie` value with which a browser that signs in to a record returns to a page. */
export const returnCookie = (page: ReturnPage): string =>
  cookie(page, BROWSER_LIFETIME_MS / SECOND_MS);

/** Returns the `Set-Cookie` value that makes a browser stay at the record after it has signed in. */
export const clearedReturnCookie = (): string => cookie("", 0);

/** Returns the path of the page that the browser of a request returns to; null if there is none. */
export function returnOf(request: Request): string | null {
  const values = cookieValues(request, COOKIE);
  const page = values.length === 1 ? values[0] : "";
  return Object.hasOwn(PAGES, page) ? PAGES[page as ReturnPage] : null;
}
