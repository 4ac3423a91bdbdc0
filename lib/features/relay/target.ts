/** The path of a request to a relay: its secret slug, and the URL at the origin to which it leads. */
import { createHash } from "node:crypto";
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";

/** The parts of a request's target, without normalisation. */
interface Target {
  /** The first segment of the path, as it was sent, or "". */
  segment: string;
  /** The rest of the path, starting with its slash, or "". */
  path: string;
  /** The query with its question mark, or "". */
  query: string;
}

/**
 * Splits the URL of a request, which Deno does not normalise. `URL` would resolve `/wrong/../<slug>`
 * before the slug is checked. The host of an absolute-form target is ignored.
 */
export function parseTarget(url: string): Target {
  const parts = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(?:\/([^/?#]*))?(\/[^?#]*)?(\?[^#]*)?/i.exec(url);
  return { segment: parts?.[1] ?? "", path: parts?.[2] ?? "", query: parts?.[3] ?? "" };
}

/**
 * Creates the check of a path's first segment. It compares digests with all slugs in constant time, so
 * that the timing reveals neither how much of a guess is right nor which slug matched.
 *
 * @param slugs the current one, and the previous one during a rotation
 */
export function slugCheck(slugs: string[]): (segment: string) => boolean {
  const digests = slugs.map(digestOf);
  // Hashing takes longer than all other checks together. The map finds a slug by a hash with a random
  // seed, and compares characters only if the hashes are equal, so it reveals nothing about a guess.
  const known = new Map(slugs.map((slug, i) => [slug, digests[i]]));
  return (segment) => {
    const digest = known.get(segment) ?? digestOf(segment);
    let isKnown = false;
    for (const each of digests) isKnown = timingSafeEqual(each, digest) || isKnown;
    return isKnown;
  };
}

const digestOf = (text: string) => createHash("sha256").update(text).digest();

/**
 * Returns true for a path with a backslash, an encoded separator or an encoded NUL, because the origin
 * could interpret it as a different path.
 */
export function hidesSeparator(path: string): boolean {
  return /\\|%(?:2f|5c|00)/i.test(path);
}

/**
 * Matches the paths and queries that `URL` leaves unchanged, and that contain neither dot segments nor
 * empty ones. No character can match in two ways, so the time is linear.
 */
const PLAIN = /^(?:\/[\w~-][\w.~-]*)*\/?(?:\?[\w.~!$&()*+,;=:@/?%-]+)?$/;

/**
 * Returns the URL to request from the origin, or null for a path whose dot segments leave the slug.
 *
 * @param origin the origin of every returned URL
 * @param slug the slug in the request
 */
export function originUrl(origin: string, slug: string, { path, query }: Target): string | null {
  const rest = path + query;
  if (path !== "" && PLAIN.test(rest)) return origin + rest;
  // `//evil` and dot segments are harmless, because they follow a host.
  const requested = URL.parse(`${origin}/${slug}${rest}`);
  if (requested === null || !requested.pathname.startsWith(`/${slug}/`)) return null;
  const url = URL.parse(origin + requested.pathname.slice(slug.length + 1) + requested.search);
  return url?.origin === origin ? url.href : null;
}
