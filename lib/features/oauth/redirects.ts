/** The rules for OAuth redirect URIs: which are allowed, which match, and how pages name them. */
import { isLoopback } from "../../base/loopback.ts";

/** Schemes that a browser acts on itself, so that a redirect would run code or open a file. */
const FORBIDDEN = /^(javascript|data|file|blob|about|vbscript|mailto|filesystem|view-source):$/;
export const MAX_REDIRECT_URI = 2_000;

/** Returns whether a redirect stays on the person's computer (RFC 8252, section 7.3). */
export const isLoopbackUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && isLoopback(hostname);

/**
 * Returns whether a client may register a redirect URI: https, http on a loopback address, or a
 * private-use scheme (RFC 8252, section 7.1), which desktop editors use. A URI has no fragment, no
 * wildcard and no user information.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > MAX_REDIRECT_URI || !/^[\x21-\x7e]+$/.test(text) || /[*#\\]/.test(text)) {
    return false;
  }
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return url.hostname !== "";
  if (url.protocol === "http:") return isLoopbackUrl(url);
  return !FORBIDDEN.test(url.protocol);
}

/**
 * Returns whether a redirect URI in a request matches a registered one: exactly, except for the port
 * of a loopback address, which native apps choose when they start (RFC 8252, section 7.3).
 */
export function matchesRedirect(given: string, registered: string): boolean {
  if (given === registered) return true;
  const [a, b] = [URL.parse(given), URL.parse(registered)];
  if (a === null || b === null || !isLoopbackUrl(a) || !isLoopbackUrl(b)) return false;
  if (!isRedirectUri(given)) return false;
  const withoutPort = (url: URL) => `${url.hostname}${url.pathname}${url.search}`;
  return withoutPort(a) === withoutPort(b);
}

/** The hosts and schemes that a source expression can name (CSP 3, section 2.3.1). */
const SOURCE_HOST = /^[a-z0-9.-]+$/;
const SOURCE_SCHEME = /^[a-z][a-z0-9+.-]*:$/;

/**
 * Returns the source of a redirect URI for `form-action`, because Chromium applies it to the redirects
 * that follow a form: `https://app.example`, `http://127.0.0.1:*` or `cursor:`. Null if there is no
 * such source: none can name an IPv6 address, and some hosts would end the directive.
 */
export function formActionOf(uri: string): string | null {
  const url = new URL(uri);
  if (url.protocol !== "https:" && !isLoopbackUrl(url)) {
    return SOURCE_SCHEME.test(url.protocol) ? url.protocol : null;
  }
  if (!SOURCE_HOST.test(url.hostname)) return null;
  return isLoopbackUrl(url) ? `http://${url.hostname}:*` : url.origin;
}

/** Returns the host of a redirect URI to show, or the scheme of a private-use one. */
export function redirectHost(uri: string): string {
  const url = new URL(uri);
  return /^https?:$/.test(url.protocol) ? url.host : url.protocol;
}
