/** The headers that a relay passes on in either direction, and the rewriting of those with links. */
import type { RelaySettings } from "./config.ts";
import type { References } from "./references.ts";

/** Sent with every response, because the requested URL contains a secret. */
export const ALWAYS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

/** The request headers that the origin receives. */
const FORWARDED = new Set([
  "accept",
  "accept-language",
  "range",
  "if-range",
  "if-none-match",
  "if-modified-since",
  "user-agent",
]);

/** The response headers that are dropped. `docs/relay.md` gives the reasons. */
const DROPPED = new Set([
  // Hop-by-hop (RFC 9110, 7.6.1), as are those that `Connection` lists.
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  // These would store state in the browser for the relay's host.
  "set-cookie",
  "set-cookie2",
  "clear-site-data",
  "strict-transport-security",
  "alt-svc",
  "public-key-pins",
  "expect-ct",
  "service-worker-allowed",
  // Reports contain the page's URL, and so the slug.
  "report-to",
  "reporting-endpoints",
  "nel",
  // Caches must follow the relay's `no-store`.
  "age",
  "expires",
  "pragma",
  "surrogate-control",
  // Commands to a server in front of the relay.
  "x-sendfile",
  "x-lighttpd-send-file",
  "x-reproxy-url",
  // The relay sends its own.
  ...Object.keys(ALWAYS),
]);
const DROPPED_PATTERN = /^(?:edge-access-|proxy-|x-accel-)|cdn-cache-control$|-report-only$/;

/**
 * Returns the headers for the origin: the allowed ones, no compression, and the service token. `fetch`
 * takes much longer to read a `Headers` object than this list. The received headers are read together,
 * because Deno calls native code for each one that is read by name, and reads all of them in any case.
 */
export function requestHeaders(
  received: Headers,
  { clientId, clientSecret }: RelaySettings,
): [name: string, value: string][] {
  const headers: [string, string][] = [
    ["accept-encoding", "identity"],
    ["edge-access-client-id", clientId],
    ["edge-access-client-secret", clientSecret],
  ];
  received.forEach((value, name) => {
    if (FORWARDED.has(name)) headers.push([name, value]);
  });
  return headers;
}

/** A header's new value, or null to remove it. */
export type HeaderChange = [name: string, value: string | null];

/**
 * Returns how the origin's headers differ from those that are sent, or null for a redirect away from
 * the origin.
 *
 * @param references called for headers with links
 */
export function headerChanges(
  { headers, status }: Response,
  { clientId, clientSecret }: RelaySettings,
  references: () => References,
): HeaderChange[] | null {
  const listed = headers.get("connection")?.toLowerCase().split(/[\s,]+/) ?? [];
  const isRedirect = status >= 300 && status < 400;
  const changes: HeaderChange[] = [];
  let ledOut = false;
  headers.forEach((value, name) => {
    if (DROPPED.has(name) || DROPPED_PATTERN.test(name) || listed.includes(name)) {
      changes.push([name, null]);
      return;
    }
    const rewritten = value.includes(clientSecret) || value.includes(clientId)
      ? null
      : rewriteHeader(name, value, references);
    if (rewritten !== value) changes.push([name, rewritten]);
    if (rewritten === null && name === "location" && isRedirect) ledOut = true;
  });
  return ledOut ? null : changes;
}

/** Returns a header's value as it is sent, or null to drop it. */
function rewriteHeader(
  name: string,
  value: string,
  references: () => References,
): string | null {
  switch (name) {
    case "location":
      return references().below(value);
    case "content-location":
      return references().below(value) ?? value;
    case "link":
      return value.replace(
        /<([^<>]*)>/g,
        (whole, reference) =>
          reference && `<${references().below(reference) ?? reference}>` || whole,
      );
    case "refresh": {
      const { start, reference, end } = parseRefresh(value);
      if (reference === "") return value;
      const below = references().below(reference);
      return below && start + below + end;
    }
    case "content-security-policy":
      return value.replace(/(^|[;,])\s*report-uri\b[^;,]*/gi, "$1");
    default:
      return value;
  }
}

/** Splits `5; url=/x`, the value of a `Refresh` header or `meta` element. */
export function parseRefresh(value: string) {
  const [, start = value, reference = "", end = ""] =
    /^(\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?["']?)([^"']*)([^]*)$/i.exec(value) ?? [];
  return { start, reference, end };
}

/**
 * Returns whether a body is HTML in an encoding that keeps ASCII bytes: UTF-8 or a one-byte encoding.
 * Without a charset, this is assumed; if the body is in UTF-16, no tags are found.
 *
 * @param type the value of `Content-Type`
 */
export function isRewritable(type: string | null): boolean {
  const [, parameters] = /^\s*text\/html\s*(?:;(.*))?$/i.exec(type ?? "") ?? [null, null];
  if (parameters === null) return false;
  const charset = /(?:^|;)\s*charset\s*=\s*"?([^\s;"]+)/i.exec(parameters ?? "")?.[1] ?? "utf-8";
  return /^(?:utf-?8|us-ascii|ascii|latin1|iso-8859-\d+|windows-125\d|koi8-[ru])$/i.test(charset);
}
