/**
 * The parts of a URL that every request needs, read without parsing it, which takes longer than the rest of the
 * pipeline.
 *
 * @module
 */
import type { Context } from "fresh";

const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** A host name has at most 253 characters (RFC 1035), followed by a final dot and a port. */
const HOST_LIMIT = 260;

/**
 * Returns whether a request names exactly one host: false if the `Host` header is missing, duplicated,
 * malformed, or different from the host of an absolute-form target (RFC 9112 sections 3.2 and 3.2.2).
 */
export function namesOneHost({ headers, url }: Request): boolean {
  const host = headers.get("host");
  // Duplicate headers arrive joined by a comma, which no host name contains.
  if (host === null || host.length > HOST_LIMIT || !HOST.test(host)) return false;
  const start = url.indexOf("//") + 2;
  // This runs for every request, and the two are nearly always the same.
  if (url.startsWith(host, start) && /^[/?#]?$/.test(url.charAt(start + host.length))) return true;
  const target = /^[^/?#]*/.exec(url.slice(start))![0];
  return canonical(target) === canonical(host);
}

/** Lowercases a host and removes the default port and a trailing dot. */
function canonical(host: string): string {
  return host.toLowerCase().replace(/:80$/, "").replace(/\.(?=:|$)/, "");
}

const NAME = /\/\/(\[[^\]]*\]|[^/?#:]*)/;

/**
 * Returns the host's name, in lower case and without a port and a trailing dot, of a request that
 * {@linkcode namesOneHost}.
 */
export function hostnameOf({ url }: Request): string {
  const name = NAME.exec(url)![1].toLowerCase();
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

const PLAIN_PATH = /^https?:\/\/[^/?#]+(\/[\w.~!$&'()*+,;=:@%/-]*)(?=[?#]|$)/;

/** Returns the path of a request as in `ctx.url`: normalised, and with single slashes. */
export function pathnameOf(ctx: Pick<Context<unknown>, "req" | "url">): string {
  const plain = PLAIN_PATH.exec(ctx.req.url)?.[1];
  return plain === undefined || /\/\/|\/\.|%2e/i.test(plain) ? ctx.url.pathname : plain;
}
