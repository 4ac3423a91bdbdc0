/** Tells public IP addresses from private and special ones, to protect internal servers from requests. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** IPv6 networks whose addresses contain an IPv4 address, and where its four bytes begin. */
const EMBEDDING = ([
  ["::ffff:0:0/96", 12],
  ["64:ff9b::/96", 12],
  ["2002::/16", 2],
] as const).map(([network, offset]) => ({ network: ipaddr.IPv6.parseCIDR(network), offset }));

/** The only part of IPv6 that is assigned for global unicast. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Returns whether an IP address is globally routable unicast. An IPv6 address that contains an IPv4
 * address (mapped, NAT64, 6to4) is, if that one is.
 *
 * @example
 * ```ts
 * isGlobalAddress("93.184.215.14"); // true
 * isGlobalAddress("64:ff9b::7f00:1"); // false
 * ```
 */
export function isGlobalAddress(text: string): boolean {
  // ipaddr.js also accepts octal and hexadecimal parts; isIP() does not, but accepts zones.
  if (isIP(text) === 0 || text.includes("%")) return false;
  if (isIP(text) === 4) return isUnicast(ipaddr.IPv4.parse(text));
  const address = ipaddr.IPv6.parse(inHexadecimal(text));
  for (const { network, offset } of EMBEDDING) {
    if (!address.match(network)) continue;
    return isUnicast(new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4)));
  }
  return address.match(GLOBAL_UNICAST) && isUnicast(address);
}

/**
 * Returns an IPv6 address without dotted decimals, because ipaddr.js takes the IPv4-compatible `::1.2.3.4` for
 * the mapped `::ffff:1.2.3.4`.
 */
const inHexadecimal = (text: string): string => new URL(`http://[${text}]`).hostname.slice(1, -1);

/** Returns whether no registry of special addresses lists it. */
const isUnicast = (address: ipaddr.IPv4 | ipaddr.IPv6) => address.range() === "unicast";
