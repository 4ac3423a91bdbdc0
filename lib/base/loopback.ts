/**
 * Returns whether a host is the machine itself: `localhost`, 127.0.0.0/8 or `::1` (RFC 6890), which a URL's
 * `hostname` puts into brackets.
 */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(hostname);
