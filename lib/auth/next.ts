const MAX_LENGTH = 2_000;

/** The most escapes within escapes: each is decoded, and no page of ours needs more than one. */
const MAX_DEPTH = 5;

/** Nobody's host (RFC 6761, 6.4). What leads away from here has another origin. */
const HERE = "http://here.invalid";

/**
 * The place a person was going to, if it is on this site: a path with its query and fragment, as
 * the URL parser writes it, safe as a `Location`.
 *
 * Parsers make another host of `//evil`, `/\evil` and `/<tab>/evil`, and of `/.//evil` once its
 * dots are resolved. The same in percent-encoding is refused too, for whoever stands behind us may
 * decode once more than we do.
 *
 * @param value anything, such as a form's field
 * @returns null for whatever is not a same-site path
 *
 * @example
 * ```ts
 * safeNext("/console/finance?range=30d"); // "/console/finance?range=30d"
 * safeNext("//evil.example"); // null
 * ```
 */
export function safeNext(value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return null;
  const url = sameSite(value);
  if (url === null) return null;
  let path = url.pathname;
  for (let depth = 0;; depth++) {
    const decoded = decode(path);
    if (decoded === path) break;
    if (decoded === null || depth === MAX_DEPTH || sameSite(decoded) === null) return null;
    path = decoded;
  }
  return url.pathname + url.search + url.hash;
}

function sameSite(path: string): URL | null {
  // Parsers drop control characters or end a header's line at them, and take \ for /.
  if (!/^\/(?!\/)/.test(path) || /[\\\p{Cc}]/u.test(path)) return null;
  const url = URL.parse(path, HERE);
  return url?.origin === HERE && !url.pathname.startsWith("//") ? url : null;
}

/** Null for what is not UTF-8 in percent-encoding: no page of ours has such a name. */
function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
