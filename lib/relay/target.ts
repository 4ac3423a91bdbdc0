/** A request's target, taken apart without being tidied up. */
export interface Target {
  /** The first segment of the path as it was sent; "" where there is none. */
  segment: string;
  /** The rest of the path, from its slash on; "" where there is none. */
  path: string;
  /** The query with its question mark, or "". */
  query: string;
}

/**
 * Takes apart the address of a request. Deno hands it over as it was sent, so this must not be
 * done with `URL`, which would resolve `/wrong/../<slug>` before the slug is looked at. What an
 * absolute-form target says of the host is no matter here.
 */
export function parseTarget(url: string): Target {
  const [, segment = "", path = "", query = ""] =
    /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(?:\/([^/?#]*))?(\/[^?#]*)?(\?[^#]*)?/i.exec(url) ?? [];
  return { segment, path, query };
}

/**
 * Returns true for a path with a backslash or an encoded separator or NUL: the origin could read it
 * as another path than the relay does.
 */
export function hidesSeparator(path: string): boolean {
  return /\\|%(?:2f|5c|00)/i.test(path);
}

/**
 * The address to ask at the origin, or null for a path whose dot segments step over the slug: a
 * browser would have resolved it to a path without one.
 *
 * @param origin the only origin that can come out
 * @param slug the right one, by which the caller came
 */
export function originUrl(origin: string, slug: string, { path, query }: Target): URL | null {
  // `//evil` and dot segments are harmless behind a host that is already there.
  const asked = URL.parse(`${origin}/${slug}${path}${query}`);
  if (asked === null || !asked.pathname.startsWith(`/${slug}/`)) return null;
  const url = URL.parse(origin + asked.pathname.slice(slug.length + 1) + asked.search);
  return url?.origin === origin ? url : null;
}
