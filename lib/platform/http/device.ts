/** Describes where a request came from, by network and browser, so that people recognise their own devices. */
import { addressKey } from "./client_address.ts";
import { readHeader } from "./header.ts";

/** The origin of a request, reduced to the details by which its sender can recognise it. */
export interface Device {
  /** The first 24 bits of an IPv4 address, or the first 48 of an IPv6 address. */
  network: string;
  /** The browser and system, such as `Firefox on Windows`. */
  browser: string;
}

/** The `browser` of a program that is not a browser. */
export const OTHER_PROGRAM = "another program";

/** Returns where a request came from. */
export const deviceOf = (request: Request, clientAddress: string): Device => ({
  network: networkOf(clientAddress),
  browser: browserOf(readHeader(request, "user-agent") ?? ""),
});

/** Returns the first 24 bits of an IPv4 address, or the first 48 of an IPv6 address. */
export function networkOf(address: string): string {
  const key = addressKey(address);
  if (/^\d+(\.\d+){3}$/.test(key)) return `${key.split(".").slice(0, 3).join(".")}.0/24`;
  if (key.includes(":")) return `${key.split(":").slice(0, 3).join(":")}::/48`;
  return key;
}

// The order matters: most browsers also claim to be others.
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

function browserOf(userAgent: string): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser === undefined) return OTHER_PROGRAM;
  return system === undefined ? browser : `${browser} on ${system}`;
}
