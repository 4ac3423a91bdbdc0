/**
 * IPv4 networks that are not globally reachable (IANA IPv4 Special-Purpose Address Registry), and
 * those for multicast and future use.
 */
const IPV4: readonly string[] = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
];

/** The parts of 2000::/3 that are not globally reachable: IETF protocols and documentation. */
const IPV6: readonly string[] = ["2001::/23", "2001:db8::/32", "3fff::/20"];

/** IPv6 networks whose addresses contain an IPv4 address, and where its 32 bits begin. */
const EMBEDDING: readonly [network: string, offset: number][] = [
  ["::ffff:0:0/96", 96],
  ["64:ff9b::/96", 96],
  ["2002::/16", 16],
];

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
export function isGlobalAddress(address: string): boolean {
  const bits = parseIp(address);
  if (bits === null) return false;
  if (bits.length === 32) return isGlobalIpv4(bits);
  for (const [network, offset] of EMBEDDING) {
    if (contains(network, bits)) return isGlobalIpv4(bits.slice(offset, offset + 32));
  }
  return contains("2000::/3", bits) && !IPV6.some((network) => contains(network, bits));
}

const isGlobalIpv4 = (bits: string) => !IPV4.some((network) => contains(network, bits));

function contains(network: string, bits: string): boolean {
  const [base, length] = network.split("/");
  const prefix = parseIp(base)!;
  return prefix.length === bits.length && bits.startsWith(prefix.slice(0, Number(length)));
}

/** Returns the bits of an address: 32 or 128 characters. Null if it is not one. */
function parseIp(address: string): string | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) {
    const bytes = address.split(".").map(Number);
    return bytes.every((byte) => byte < 256) ? bytes.map((byte) => binary(byte, 8)).join("") : null;
  }
  // The URL parser writes IPv6 addresses in their canonical form (RFC 5952), without dots.
  const url = /^[\da-f:.]+$/i.test(address) ? URL.parse(`http://[${address}]`) : null;
  if (url === null) return null;
  const [head, tail = ""] = url.hostname.slice(1, -1).split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = new Array(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right].map((group) => binary(parseInt(group, 16), 16)).join("");
}

const binary = (value: number, length: number) => value.toString(2).padStart(length, "0");
