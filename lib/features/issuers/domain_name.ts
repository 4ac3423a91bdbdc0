import { unmarked } from "../../base/pasted.ts";

/** Names that are not in the public DNS (RFC 6761 and others). */
const RESERVED = /(^|\.)(localhost|local|internal|invalid|test|onion|alt|arpa)$/;

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns a host name in ASCII and lower case, with internationalised labels as `xn--…`, so that names that
 * only look alike differ; null if the text is none, or one that is not in the public DNS.
 *
 * @example
 * ```ts
 * normaliseDomain("https://Bücher.example/"); // "xn--bcher-kva.example"
 * normaliseDomain("192.0.2.1"); // null
 * ```
 */
export function normaliseDomain(text: string): string | null {
  const host = unmarked(text).replace(/^https?:\/\//i, "").replace(/\/$/, "").replace(/\.$/, "");
  if (host.length > 253 || /[\s/?#@:\\[\]%]/.test(host)) return null;
  // The parser does what browsers do (UTS 46), so readers reach the host that is stored.
  const name = URL.parse(`https://${host}/`)?.hostname ?? "";
  const labels = name.split(".");
  const isName = name.length <= 253 && labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1)!); // an IPv4 address
  return isName && !RESERVED.test(name) ? name : null;
}

/** Returns whether a name is in the part of the DNS that is reserved for examples. */
export const isExample = (name: string): boolean => /(^|\.)example$/.test(name);

/** Returns whether one of two names is the other one or below it. */
export const areRelated = (a: string, b: string): boolean =>
  a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
