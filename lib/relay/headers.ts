import type { RelaySettings } from "./config.ts";
import type { References } from "./references.ts";

/** All that the origin learns of a request beside its path and query. */
const ASKED = [
  "accept",
  "accept-language",
  "range",
  "if-range",
  "if-none-match",
  "if-modified-since",
  "user-agent",
];

/** What an answer loses on its way: `docs/relay.md` gives the reasons. */
const LOST = new Set([
  // One connection's own (RFC 9110, 7.6.1); what `Connection` lists goes with them.
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  // State that would stay in a browser, on the relay's host.
  "set-cookie",
  "set-cookie2",
  "clear-site-data",
  "strict-transport-security",
  "alt-svc",
  "public-key-pins",
  "expect-ct",
  "service-worker-allowed",
  // Reports name the page's address, which holds the slug.
  "report-to",
  "reporting-endpoints",
  "nel",
  // Speaks to caches: the relay's word is no-store.
  "age",
  "expires",
  "pragma",
  "surrogate-control",
  // Orders to a server in front of the relay.
  "x-sendfile",
  "x-lighttpd-send-file",
  "x-reproxy-url",
]);
const LOST_KINDS = /^(?:edge-access-|proxy-|x-accel-)|cdn-cache-control$|-report-only$/;

/** What is said to the origin: an allow-list, no coding, and the service token. */
export function requestHeaders(asked: Headers, { clientId, clientSecret }: RelaySettings): Headers {
  const headers = new Headers({
    "accept-encoding": "identity",
    "edge-access-client-id": clientId,
    "edge-access-client-secret": clientSecret,
  });
  for (const name of ASKED) {
    const value = asked.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

/**
 * The origin's headers as they are passed on; null where the answer would lead the caller out of
 * the relay.
 */
export function answerHeaders(
  answer: Response,
  { clientId, clientSecret }: RelaySettings,
  references: References,
): Headers | null {
  const listed = answer.headers.get("connection")?.toLowerCase().split(/[\s,]+/) ?? [];
  const isRedirect = answer.status >= 300 && answer.status < 400;
  const headers = new Headers();
  for (const [name, value] of answer.headers) {
    if (LOST.has(name) || LOST_KINDS.test(name) || listed.includes(name)) continue;
    const passed = value.includes(clientSecret) || value.includes(clientId)
      ? null
      : passedOn(name, value, references);
    if (passed !== null) headers.append(name, passed);
    else if (name === "location" && isRedirect) return null;
  }
  return headers;
}

/** A header's value as it is passed on, or null where it is not. */
function passedOn(name: string, value: string, references: References): string | null {
  switch (name) {
    case "location":
      return references.below(value);
    case "content-location":
      return references.below(value) ?? value;
    case "link":
      return value.replace(
        /<([^<>]*)>/g,
        (whole, reference) => reference && `<${references.below(reference) ?? reference}>` || whole,
      );
    case "refresh": {
      const { start, reference, end } = parseRefresh(value);
      if (reference === "") return value;
      const below = references.below(reference);
      return below && start + below + end;
    }
    case "content-security-policy":
      return value.replace(/(^|[;,])\s*report-uri\b[^;,]*/gi, "$1");
    default:
      return value;
  }
}

/** Takes apart `5; url=/x`, the value of a `Refresh` header and of the `meta` element like it. */
export function parseRefresh(value: string) {
  const [, start = value, reference = "", end = ""] =
    /^(\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?["']?)([^"']*)([^]*)$/i.exec(value) ?? [];
  return { start, reference, end };
}
