/** The maximum length of a header in characters; browsers and programs send far fewer. */
export const HEADER_LIMIT = 4_096;

/** Browsers keep up to 4 KiB per cookie, and other parts of a domain may have set cookies too. */
export const COOKIE_LIMIT = 16_384;

/**
 * Returns a request's header, or null if it is absent or longer than the limit. The HTTP server lets
 * hundreds of KiB through, which would take long to split and search.
 */
export function readHeader(
  { headers }: { headers: Headers },
  name: string,
  limit: number = HEADER_LIMIT,
): string | null {
  const value = headers.get(name);
  return value !== null && value.length <= limit ? value : null;
}
