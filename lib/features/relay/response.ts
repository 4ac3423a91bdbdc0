/** Builds a relay's responses: errors, redirects, decoded bodies and shared headers. */
import { LoggedError } from "../../platform/http/serve.ts";
import { readHeader } from "../../platform/http/header.ts";
import { ALWAYS, type HeaderChange } from "./headers.ts";

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** A response's body, and the headers that describe it. */
export interface Content {
  body: Body | null;
  headers: Headers;
}

const OWN = Object.entries(ALWAYS);

const ERRORS = {
  400: ["invalid_request", "The relay cannot forward this path."],
  403: ["forbidden", "Access to this URL is denied."],
  405: ["method_not_allowed", "A relay accepts only GET."],
  502: ["bad_gateway", "The origin sent no response that the relay can forward."],
  504: ["gateway_timeout", "The origin did not respond in time."],
} as const;

/** The content codings that are decoded, with their names in `DecompressionStream`. */
const FORMATS: Record<string, CompressionFormat> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
};

/** The largest body whose end is not watched. */
const SMALL_BODY = 64 << 10;

/** After this many bytes, the memory of each chunk is released when the next one is requested. */
const LARGE_BODY = 256 << 10;

/** Adds the headers that every response of a relay has. */
export function seal(headers: Headers): Headers {
  for (const [name, value] of OWN) headers.set(name, value);
  return headers;
}

/** Changes headers and returns them. */
export function change(headers: Headers, changes: HeaderChange[]): Headers {
  for (const [name, value] of changes) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  return headers;
}

/**
 * Returns a response with changed headers of the origin and those of every response. Deno copies a
 * `Headers` object without checking it again, which takes less time than to append each header.
 *
 * @param changes remove those that every response has
 */
export function respond(
  body: Body | null,
  { headers, status }: Response,
  changes: HeaderChange[],
): Response {
  const response = new Response(body, { status, headers });
  const sent = change(response.headers, changes);
  for (const [name, value] of OWN) sent.append(name, value);
  return response;
}

/** Returns an error response of the relay itself: JSON without details. */
export function refuse(status: keyof typeof ERRORS): Response {
  const [error, message] = ERRORS[status];
  const headers = new Headers(status === 405 ? { allow: "GET" } : undefined);
  headers.set("x-content-type-options", "nosniff");
  return Response.json({ error, message }, { status, headers: seal(headers) });
}

/** Redirects `/{slug}` to `/{slug}/`, so that relative links stay below the slug. */
export function redirect(location: string): Response {
  return new Response(null, { status: 308, headers: seal(new Headers({ location })) });
}

/**
 * Decodes a body that the origin compressed although it was asked not to. A body in another coding,
 * and a part of an encoded body, are returned unchanged.
 *
 * @param status the status of the response; 206 means a part
 */
export function decode({ body, headers }: Content, status: number): Content {
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") headers.delete("content-encoding");
  if (body === null || status === 206 || !Object.hasOwn(FORMATS, coding)) return { body, headers };
  const decoded = body.pipeThrough(new DecompressionStream(FORMATS[coding]));
  headers.delete("content-encoding");
  return { body: decoded, headers: withoutDigests(headers) };
}

/**
 * Returns whether a request accepts a coding (RFC 9110, 12.5.3). Without an `Accept-Encoding` header
 * it accepts none.
 */
export function accepts(request: { headers: Headers }, coding: string): boolean {
  const accepted = (readHeader(request, "accept-encoding") ?? "").toLowerCase().split(",");
  const preferences = accepted.map((part) => {
    const [name, ...parameters] = part.split(";").map((piece) => piece.trim());
    return { name, refused: parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) };
  });
  const preference = preferences.find(({ name }) => name === coding) ??
    preferences.find(({ name }) => name === "*");
  return preference !== undefined && !preference.refused;
}

/**
 * Removes the headers that are wrong for a changed body: lengths, digests and ranges. Makes the ETag
 * weak, so that it still matches `If-None-Match` but does not combine ranges.
 */
export function withoutDigests(headers: Headers): Headers {
  for (
    const name of [
      "content-length",
      "accept-ranges",
      "content-md5",
      "digest",
      "content-digest",
      "repr-digest",
    ]
  ) headers.delete(name);
  const tag = headers.get("etag");
  if (tag?.startsWith('"')) headers.set("etag", `W/${tag}`);
  return headers;
}

interface Watching {
  onFailure: () => void;
  onBytes?: (bytes: number) => void;
  /** Contains a function that cuts the body off, while it is being sent. */
  responses: Set<() => void>;
}

/**
 * Returns the body to send, and calls `onFailure` if reading it fails before the client disconnects. A
 * short body of a known length is returned unread, because Deno then sends it without JavaScript: that
 * takes much less time, but a failure is not reported. Deno cuts off the response in either case.
 */
export function watch(
  { body, headers }: Content,
  { onFailure, onBytes, responses }: Watching,
): Body | null {
  if (body === null) return null;
  const length = headers.get("content-length");
  if (length !== null && Number(length) <= SMALL_BODY) {
    onBytes?.(Number(length));
    return body;
  }
  const reader = body.getReader();
  let sent = 0;
  let cancelled = false;
  let last: Uint8Array<ArrayBuffer> | undefined;
  let end = () => {};
  const cancel = (reason?: unknown) => {
    cancelled = true;
    responses.delete(end);
    return reader.cancel(reason);
  };
  return new ReadableStream({
    start(controller) {
      end = () => {
        controller.error(new LoggedError("The slug is no longer valid."));
        cancel().catch(() => {});
      };
      responses.add(end);
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (cancelled) return;
        // `Deno.serve` no longer needs a chunk when it requests the next one. If they were left to the
        // garbage collector, the chunks of a fast body would add up to 80 MiB.
        if (sent > LARGE_BODY) last?.buffer.transfer(0);
        if (done) {
          responses.delete(end);
          return controller.close();
        }
        sent += value.length;
        onBytes?.(value.length);
        last = value;
        controller.enqueue(value);
      } catch {
        if (cancelled) return;
        responses.delete(end);
        onFailure();
        controller.error(new LoggedError("The origin closed the connection."));
      }
    },
    cancel,
  }, { highWaterMark: 0 });
}
