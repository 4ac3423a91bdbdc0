/** The page to return to after a sign-in, accepted only if it is on the same site. */
import type { Surface } from "../../platform/surfaces/mod.ts";

const MAX_LENGTH = 2_000;

/** How many levels of percent-encoding are decoded. Our pages need one at most. */
const MAX_DEPTH = 5;

/** A host that cannot exist (RFC 6761, 6.4). URLs that lead to another site have another origin. */
const SAME_SITE = "http://same-site.invalid";

/**
 * Returns a same-site path with its query and fragment, as the URL parser writes it, safe for
 * `Location`.
 *
 * URL parsers treat `//evil`, `/\evil`, `/<tab>/evil`, and `/.//evil` once its dots are resolved,
 * as another host. Percent-encoded forms are rejected too, because a proxy may decode one level
 * more than we do.
 *
 * @param value untrusted input, such as a form field
 * @returns null if it is not a same-site path
 *
 * @example
 * ```ts
 * safeNext("/console/finance?range=30d"); // "/console/finance?range=30d"
 * safeNext("//evil.example"); // null
 * ```
 */
export function safeNext(value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return null;
  const url = parseSameSite(value);
  if (url === null) return null;
  let path = url.pathname;
  for (let depth = 0;; depth++) {
    const decoded = decode(path);
    if (decoded === path) break;
    if (decoded === null || depth === MAX_DEPTH || parseSameSite(decoded) === null) return null;
    path = decoded;
  }
  return url.pathname + url.search + url.hash;
}

/** Returns where a sign-in on a surface should return to, or null for its landing page. */
export const nextOn = (surface: Surface, next: unknown): string | null =>
  surface.signIn?.returns ? safeNext(next) : null;

/** Returns the path to open after a sign-in: `next` if the surface accepts it, or else its landing page. */
export const landingOn = (surface: Surface, next: unknown): string =>
  nextOn(surface, next) ?? surface.signIn?.landing ?? "/";

/** Returns the path of the sign-in page that leads back to an address of the same surface. */
export const signInPath = ({ pathname, search }: URL): string =>
  `/auth?next=${encodeURIComponent(pathname + search).replaceAll("%2F", "/")}`;

function parseSameSite(path: string): URL | null {
  // Parsers drop control characters or end a header line there, and treat \ as /.
  if (!/^\/(?!\/)/.test(path) || /[\\\p{Cc}]/u.test(path)) return null;
  const url = URL.parse(path, SAME_SITE);
  return url?.origin === SAME_SITE && !url.pathname.startsWith("//") ? url : null;
}

/** Returns null for percent-encoding that is not UTF-8, which none of our paths contain. */
function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
