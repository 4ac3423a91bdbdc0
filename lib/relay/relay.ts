import { readHeader } from "../http/header.ts";
import { redirect, refuse, seal } from "./answers.ts";
import { LoggedError } from "../http/serve.ts";
import { accepts, type Content, decode, describeAnew } from "./coding.ts";
import type { RelaySettings } from "./config.ts";
import { answerHeaders, requestHeaders } from "./headers.ts";
import { createReferences, type References } from "./references.ts";
import { isRewritable, rewriteHtml } from "./rewrite_html.ts";
import { slugCheck } from "./slug.ts";
import { hidesSeparator, originUrl, parseTarget } from "./target.ts";

/** Bytes of a body that may be sent in one piece. */
const SMALL_BODY = 64 << 10;

/** Bytes after which the memory of each chunk is released as soon as it has been passed on. */
const LARGE_BODY = 8 << 20;

/** What a relay gets from around it. */
export interface RelayDeps {
  fetch: typeof fetch;
  /** Until the origin's headers, in milliseconds. A body may take as long as it likes. */
  timeoutMs: number;
  /** One structured line: `{level, event, relay, …}`. No slug, no token and no path is in it. */
  log: (entry: Record<string, unknown>) => void;
}

/** Answers a request; never rejects. */
export type Relay = (request: Request) => Promise<Response>;

/**
 * Makes a read-only relay (spec 4.8): `GET /{slug}/{path}` is answered with what the origin
 * answers to `/{path}` with the service token, as a stream. It keeps nothing: no session, no
 * cookie, no cache.
 *
 * It answers for itself alone 405 to any other method, 403 without a right slug, 400 for a path
 * with an encoded separator, 502 where the origin fails or leads elsewhere, and 504 where its
 * headers don't come in time. Every answer is `no-store`.
 *
 * @param settings one relay's; where it answers is decided in front of it
 *
 * @example
 * ```ts
 * const relay = createRelay(settings, { fetch, timeoutMs: 15_000, log: console.error });
 * Deno.serve(relay);
 * ```
 */
export function createRelay(settings: RelaySettings, deps: RelayDeps): Relay {
  const { name, origin, slug, previousSlug, rewriteLinks } = settings;
  const isRight = slugCheck(previousSlug === undefined ? [slug] : [slug, previousSlug]);

  // Over HTTP/2 all readers would share one connection, and a few slow ones use up its window.
  const kept = Deno.createHttpClient({ http2: false });
  const anew = Deno.createHttpClient({ http2: false, poolMaxIdlePerHost: 0 });

  /** Logs why an answer does not come from the origin. What else is known of it may be secret. */
  function fail(event: string, status: 502 | 504): Response {
    deps.log({ level: "warn", event, relay: name, status });
    return refuse(status);
  }

  return async (request) => {
    if (request.method !== "GET") return refuse(405);
    const target = parseTarget(request.url);
    if (!isRight(target.segment)) return refuse(403);
    if (hidesSeparator(target.path) || hasTwoHosts(request.headers)) return refuse(400);
    if (target.path === "") {
      // As `URL` writes it, in ASCII: a header takes little else.
      const { search } = new URL(target.query, origin);
      return redirect(`/${target.segment}/${search}`);
    }
    const url = originUrl(origin, target.segment, target);
    if (url === null) return refuse(403);

    const headers = requestHeaders(request.headers, settings);
    const ask = () => askInTime(deps, [kept, anew], url, headers, request.signal);
    let answer: Response;
    try {
      answer = await ask();
      if (
        rewriteLinks && answer.status === 206 && isRewritable(answer.headers.get("content-type"))
      ) {
        // A part of a page that is rewritten as a whole: any answer to Range may be the whole.
        await drop(answer);
        headers.delete("range");
        headers.delete("if-range");
        answer = await ask();
      }
    } catch (error) {
      if (request.signal.aborted) return refuse(502);
      return error instanceof LateError
        ? fail("relay_timed_out", 504)
        : fail("relay_unreachable", 502);
    }

    if (answer.status < 200 || answer.status > 599) {
      await drop(answer);
      return fail("relay_unusable_answer", 502);
    }
    const references = createReferences(origin, target.segment, url);
    const passed = answerHeaders(answer, settings, references);
    if (passed === null) {
      await drop(answer);
      return fail("relay_led_out", 502);
    }
    const content = fit(
      { body: answer.body, headers: passed },
      answer.status,
      readHeader(request, "accept-encoding"),
      rewriteLinks ? references : null,
    );
    const body = await watch(content, request.signal, () => {
      deps.log({ level: "warn", event: "relay_broke_off", relay: name });
    });
    return new Response(body, { status: answer.status, headers: seal(content.headers) });
  };
}

/**
 * Undoes a coding that stands in the way, and rewrites the links of a page.
 *
 * @param references null where links are left as they are
 */
function fit(
  content: Content,
  status: number,
  acceptEncoding: string | null,
  references: References | null,
): Content {
  const rewrites = references !== null && status !== 206 &&
    isRewritable(content.headers.get("content-type"));
  const coding = content.headers.get("content-encoding");
  const fitting = coding !== null && (rewrites || !accepts(acceptEncoding, coding))
    ? decode(content, status)
    : content;
  const { body, headers } = fitting;
  if (!rewrites || body === null || headers.has("content-encoding")) return fitting;
  return { body: body.pipeThrough(rewriteHtml(references)), headers: describeAnew(headers) };
}

/**
 * Returns the body to send, and calls `report` if reading it fails before the client disconnects.
 * Deno can send a body of `fetch` without JavaScript, but then no one learns of a failure.
 */
async function watch(
  { body, headers }: Content,
  client: AbortSignal,
  report: () => void,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream | null> {
  if (body === null) return null;
  const reader = body.getReader();
  let first: ReturnType<typeof reader.read> | undefined;
  const length = Number(headers.get("content-length"));
  if (length > 0 && length <= SMALL_BODY) {
    // Most small bodies arrive in one piece, which is cheaper to send than a stream.
    first = reader.read();
    const cancel = () => reader.cancel().catch(() => {});
    client.addEventListener("abort", cancel);
    const value = await first.then(({ value }) => value, () => undefined);
    client.removeEventListener("abort", cancel);
    if (value?.length === length) return value;
  }
  let passed = 0;
  let last: Uint8Array<ArrayBuffer> | undefined;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await (first ?? reader.read());
        first = undefined;
        // `Deno.serve` has taken over a chunk when it asks for the next one. Left to the garbage
        // collector, the chunks of a fast, large body pile up to 80 MiB.
        if (passed > LARGE_BODY) last?.buffer.transfer(0);
        if (done) return controller.close();
        passed += value.length;
        last = value;
        controller.enqueue(value);
      } catch {
        if (!client.aborted) report();
        controller.error(new LoggedError("The body broke off."));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/** Ends an answer that is not passed on. */
const drop = (answer: Response) => answer.body?.cancel().catch(() => {});

/** Two headers arrive as one value with a comma (RFC 9112, 3.2, wants that refused). */
const hasTwoHosts = (headers: Headers) => headers.get("host")?.includes(",") ?? false;

/** The origin's headers did not come in time. */
class LateError extends Error {}

/**
 * Asks the origin; what ends the asking is the caller's leaving, or the time, until headers. What
 * fails without an answer is asked once more, as GET may be (RFC 9110, 9.2.2), by the second
 * client: an origin may close a connection that was kept in the very moment of its next use.
 */
async function askInTime(
  { fetch, timeoutMs }: RelayDeps,
  [kept, anew]: [Deno.HttpClient, Deno.HttpClient],
  url: URL,
  headers: Headers,
  caller: AbortSignal,
): Promise<Response> {
  const controller = new AbortController();
  const leave = () => controller.abort();
  if (caller.aborted) leave();
  caller.addEventListener("abort", leave);
  const timer = setTimeout(() => controller.abort(new LateError()), timeoutMs);
  const askBy = (client: Deno.HttpClient) => {
    const init: RequestInit & { client: Deno.HttpClient } = {
      headers,
      redirect: "manual",
      signal: controller.signal,
      client,
    };
    return fetch(url, init);
  };
  try {
    return await askBy(kept).catch(() => askBy(anew));
  } finally {
    // From here on the body's stream carries the caller's leaving, and nothing limits its time.
    clearTimeout(timer);
    caller.removeEventListener("abort", leave);
  }
}
