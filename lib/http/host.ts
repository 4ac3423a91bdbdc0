const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The value of the `Host` header, or null where it is missing, given twice, malformed, or another
 * than the host of an absolute-form target (RFC 9112 sections 3.2 and 3.2.2).
 */
export function hostOf(req: Request): string | null {
  const host = req.headers.get("host");
  // Two headers arrive as one value with a comma, which no host name has.
  if (host === null || !HOST.test(host)) return null;
  const begin = req.url.indexOf("//") + 2;
  const end = req.url.indexOf("/", begin);
  return req.url.slice(begin, end).toLowerCase() === withoutDefaultPort(host) ? host : null;
}

function withoutDefaultPort(host: string): string {
  return host.toLowerCase().replace(/:80$/, "");
}
