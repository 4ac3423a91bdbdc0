import { cookieValues } from "../../platform/http/cookies.ts";
import { HOUR_MS, SECOND_MS } from "../../base/time.ts";
import type { AcceptLink } from "./accept_link.ts";

const COOKIE = "document_offer";

/** How long a browser remembers the link: as long as somebody looks at the documents and signs in. */
export const OFFER_MS = HOUR_MS;

const VALUE = /^([\w-]{1,64})\.([\w-]{43})$/;

/**
 * Returns the `Set-Cookie` value with which a browser remembers a recipient's link, so that the link is not in the
 * addresses of the pages that show the documents.
 */
export const offerCookie = ({ id, token }: AcceptLink): string =>
  `${COOKIE}=${id}.${token}; HttpOnly; Secure; SameSite=Lax; Max-Age=${
    OFFER_MS / SECOND_MS
  }; Path=/accept`;

/** Returns the link that the browser of a request remembers, which anybody may have written; null if there is none. */
export function offerOf(request: Request): AcceptLink | null {
  const values = cookieValues(request, COOKIE);
  const found = values.length === 1 ? VALUE.exec(values[0]) : null;
  return found && { id: found[1], token: found[2] };
}
