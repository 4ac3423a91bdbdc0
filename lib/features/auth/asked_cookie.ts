import { DAY_MS, SECOND_MS } from "../../base/time.ts";
import { cookieValues } from "../../platform/http/cookies.ts";

/** Has the id of the browser's last request for a link, so that the sign-in page can say what became of it. */
const COOKIE = "link_request";

/** How long a browser keeps it. */
export const ASKED_MS = DAY_MS;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the `Set-Cookie` header with the id of a request.
 *
 * @param path where the sign-in page is
 */
export const askedCookie = (id: string, path: "/auth" | "/my-record"): string =>
  `${COOKIE}=${id}; HttpOnly; Secure; SameSite=Lax; Max-Age=${ASKED_MS / SECOND_MS}; Path=${path}`;

/** Returns the id of the browser's last request; null if it has none. */
export function askedIn(request: Request): string | null {
  const ids = cookieValues(request, COOKIE).filter((value) => UUID.test(value));
  return ids.length === 1 ? ids[0] : null;
}
