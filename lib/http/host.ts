const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The value of the `Host` header, or null where it is missing, given twice, malformed, or another
 * than the host of an absolute-form target (RFC 9112 sections 3.2 and 3.2.2).
 */
export function hostOf(req: Request): string | null {
  const host = req.headers.get("host");
  // Two headers arrive as one value with a comma, which no host name has.
  if (host === null || !HOST.test(host)) return null;
  const target = /^[^/]*\/\/([^/?#]*)/.exec(req.url)?.[1] ?? "";
  return canonical(target) === canonical(host) ? canonical(host) : null;
}

/** Lower case, without the default port and without the final dot of a fully qualified name. */
function canonical(host: string): string {
  return host.toLowerCase().replace(/:80$/, "").replace(/\.(?=:|$)/, "");
}
