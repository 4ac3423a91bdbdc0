import { createHash, timingSafeEqual } from "node:crypto";

/** The parts of a request's target, not normalised. */
export interface Target {
  /** The first segment of the path as it was sent; "" if there is none. */
  segment: string;
  /** The rest of the path, from its slash on; "" if there is none. */
  path: string;
  /** The query with its question mark, or "". */
  query: string;
}

/**
 * Splits the URL of a request. Deno leaves it as it was sent. `URL` would resolve
 * `/wrong/../<slug>` before the slug is checked. The host of an absolute-form target is ignored.
 */
export function parseTarget(url: string): Target {
  const [, segment = "", path = "", query = ""] =
    /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(?:\/([^/?#]*))?(\/[^?#]*)?(\?[^#]*)?/i.exec(url) ?? [];
  return { segment, path, query };
}

/**
 * Creates the check of a path's first segment. It compares digests of all slugs in constant time, so
 * that the time reveals neither how much of a guess is right nor which slug it is.
 *
 * @param slugs the current one, and the previous one during a rotation
 */
export function slugCheck(slugs: string[]): (segment: string) => boolean {
  const digests = slugs.map(digestOf);
  return (segment) => {
    const digest = digestOf(segment);
    return digests.map((each) => timingSafeEqual(each, digest)).includes(true);
  };
}

const digestOf = (text: string) => createHash("sha256").update(text).digest();

/**
 * Returns true for a path with a backslash or an encoded separator or NUL: the origin could read it
 * as another path than the relay does.
 */
export function hidesSeparator(path: string): boolean {
  return /\\|%(?:2f|5c|00)/i.test(path);
}

/**
 * Returns the URL to request from the origin, or null for a path whose dot segments leave the slug.
 *
 * @param origin the origin of every returned URL
 * @param slug the slug in the request
 */
export function originUrl(origin: string, slug: string, { path, query }: Target): URL | null {
  // `//evil` and dot segments are harmless after a host.
  const requested = URL.parse(`${origin}/${slug}${path}${query}`);
  if (requested === null || !requested.pathname.startsWith(`/${slug}/`)) return null;
  const url = URL.parse(origin + requested.pathname.slice(slug.length + 1) + requested.search);
  return url?.origin === origin ? url : null;
}
