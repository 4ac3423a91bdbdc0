/** The most characters of a header that are read; browsers and programs send far fewer. */
export const HEADER_LIMIT = 4_096;

/** Browsers keep up to 4 KiB a cookie, and other parts of a domain may have set some. */
export const COOKIE_LIMIT = 16_384;

/**
 * Returns a request's header, or null where it is absent or too long to be worth the time that
 * splitting and searching it would take: an HTTP server lets hundreds of KiB through.
 *
 * @example
 * ```ts
 * const accept = readHeader(req, "accept") ?? "";
 * ```
 */
export function readHeader(
  { headers }: { headers: Headers },
  name: string,
  limit: number = HEADER_LIMIT,
): string | null {
  const value = headers.get(name);
  return value !== null && value.length <= limit ? value : null;
}
