/**
 * The part of a client's IP address that stands for one client: the whole of an IPv4 address, the
 * first 64 bits of an IPv6 address, since one household or server has that many to choose from.
 * What is no address comes back as it is.
 *
 * @example
 * ```ts
 * addressKey("2001:db8::1"); // "2001:db8:0:0"
 * addressKey("::ffff:203.0.113.7"); // "203.0.113.7"
 * ```
 */
export function addressKey(address: string): string {
  if (!address.includes(":")) return address;
  const host = `http://[${address.replace(/%.*$/, "")}]`;
  if (!URL.canParse(host)) return address;
  // The URL parser writes an IPv6 address in its one canonical form (RFC 5952).
  const canonical = new URL(host).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped) return dotted(parseInt(mapped[1], 16), parseInt(mapped[2], 16));
  const [head, tail = ""] = canonical.split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = new Array(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}

const dotted = (high: number, low: number): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join(".");
