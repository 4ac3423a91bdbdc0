/** The client's IP address behind proxies, and the part of it that rate limits count by. */
import ipaddr from "ipaddr.js";

/** The number of characters of `X-Forwarded-For` that are read; proxies write far fewer. */
const MAX_FORWARDED = 2000;

/**
 * Returns the IP address of the client that sent a request. Behind proxies this is the entry of
 * `X-Forwarded-For` that the outermost trusted proxy added; the client may have made up the entries to
 * its left.
 *
 * @param trustProxy the number of proxies in front of the server
 */
export function clientAddress(
  req: Request,
  info: Deno.ServeHandlerInfo,
  trustProxy: number,
): string {
  const { remoteAddr } = info;
  const peer = "hostname" in remoteAddr ? remoteAddr.hostname : "local";
  if (trustProxy === 0) return peer;
  // Trusted proxies append, so only the end matters.
  const header = req.headers.get("x-forwarded-for")?.slice(-MAX_FORWARDED);
  const forwarded = header?.split(",").map((part) => part.trim());
  if (forwarded === undefined) return peer;
  return withoutPort(forwarded[Math.max(0, forwarded.length - trustProxy)]) || peer;
}

/** The part of a request's context that says where it came from. */
export interface ClientContext {
  req: Request;
  info: Deno.ServeHandlerInfo;
  state: { services: { config: { trustProxy: number } } };
}

/** Returns the IP address of the client of a handler's request. */
export const clientOf = ({ req, info, state }: ClientContext): string =>
  clientAddress(req, info, state.services.config.trustProxy);

/** Removes the client's port, which some proxies add and which differs for each connection. */
const withoutPort = (entry: string): string =>
  entry.replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1").replace(/^\[(.*)\](?::\d+)?$/, "$1");

/**
 * Returns the part of an IP address that identifies one client for rate limits: a whole IPv4
 * address, or the first 64 bits of an IPv6 address, because a household or server can choose the
 * other bits freely. Returns anything else unchanged.
 *
 * @example
 * ```ts
 * addressKey("2001:db8::1"); // "2001:db8:0:0"
 * addressKey("::ffff:203.0.113.7"); // "203.0.113.7"
 * ```
 */
export const addressKey = (address: string): string => prefixOf(address, 4);

/**
 * Returns the part of an IP address that identifies one customer of a network: a whole IPv4 address,
 * or the first 48 bits of an IPv6 address, the most that a site is assigned (RFC 6177). It is for
 * limits that one sender with many networks of 64 bits must not exhaust.
 *
 * @example
 * ```ts
 * siteKey("2001:db8:1:2::1"); // "2001:db8:1"
 * ```
 */
export const siteKey = (address: string): string => prefixOf(address, 3);

/** @param groups the number of groups of 16 bits of an IPv6 address */
function prefixOf(address: string, groups: number): string {
  if (!address.includes(":") || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4
    ? parsed.toString()
    : parsed.parts.slice(0, groups).map((part) => part.toString(16)).join(":");
}
