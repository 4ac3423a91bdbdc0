const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** A host name has at most 253 characters (RFC 1035), followed by a final dot and a port. */
const HOST_LIMIT = 260;

/**
 * Returns the value of the `Host` header, or null if it is missing, duplicated, malformed, or
 * different from the host of an absolute-form target (RFC 9112 sections 3.2 and 3.2.2).
 */
export function hostOf(req: Request): string | null {
  const host = req.headers.get("host");
  // Duplicate headers arrive joined by a comma, which no host name contains.
  if (host === null || host.length > HOST_LIMIT || !HOST.test(host)) return null;
  const { url } = req;
  const start = url.indexOf("//") + 2;
  // This runs for every request, and the two are nearly always the same.
  if (url.startsWith(host, start) && /^[/?#]?$/.test(url.charAt(start + host.length))) {
    return canonical(host);
  }
  const target = /^[^/?#]*/.exec(url.slice(start))![0];
  return canonical(target) === canonical(host) ? canonical(host) : null;
}

/** Lowercases a host and removes the default port and a trailing dot. */
function canonical(host: string): string {
  return host.toLowerCase().replace(/:80$/, "").replace(/\.(?=:|$)/, "");
}
