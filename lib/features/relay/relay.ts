/** The relay: passes GET requests with the right secret slug on to an origin, and streams its responses back. */
import { type Schedule, scheduleTimeout } from "../../base/schedule.ts";
import type { RelaySettings } from "./config.ts";
import { headerChanges, isRewritable, requestHeaders } from "./headers.ts";
import { createReferences, type References } from "./references.ts";
import {
  accepts,
  change,
  type Content,
  decode,
  redirect,
  refuse,
  respond,
  seal,
  watch,
  withoutDigests,
} from "./response.ts";
import { hidesSeparator, originUrl, parseTarget, slugCheck } from "./target.ts";

export interface RelayDeps {
  fetch: typeof fetch;
  /** How long to wait for the origin's headers. The time for a body is unlimited. */
  timeoutMs: number;
  /** Starts the timers of requests; replaced in tests. */
  schedule?: Schedule;
  /** Writes one structured line `{level, event, relay, …}` without the slug, token or path. */
  log: (entry: Record<string, unknown>) => void;
  /** Called with the sizes of the parts of bodies. */
  onBytes?: (bytes: number) => void;
  /** The connections to origins, which relays can share. Default: its own. */
  clients?: RelayClients;
  /** The responses that are being sent, which a relay shares with the one that replaces it. */
  open?: OpenResponses;
}

/** The functions that cut off the responses that are being sent, for each valid slug. */
export type OpenResponses = Map<string, Set<() => void>>;

/**
 * Cuts off the responses to a slug that is no longer valid, except bodies of a known length up to 64 KiB.
 * Requests that wait for the origin get 403.
 *
 * @returns the number of responses that were cut off
 */
export function revoke(open: OpenResponses, slug: string): number {
  const cutOff = [...open.get(slug) ?? []];
  open.delete(slug);
  for (const end of cutOff) end();
  return cutOff.length;
}

/**
 * Responds to a request; never rejects.
 *
 * @param info passed by `Deno.serve`. Reading the signal of its requests takes long, so it is read only
 *   when the origin is slow. Without it, nothing is requested if the signal has been aborted.
 */
export type Relay = (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

interface RelayClients {
  pooled: Deno.HttpClient;
  fresh: Deno.HttpClient;
}

/** Creates the connections to origins. */
export const createRelayClients = (): RelayClients => ({
  // With HTTP/2 all readers would share one connection, and a few slow readers would fill its window.
  pooled: Deno.createHttpClient({ http2: false }),
  fresh: Deno.createHttpClient({ http2: false, poolMaxIdlePerHost: 0 }),
});

/** After this time without headers from the origin, the relay begins to watch for a disconnect. */
const PATIENCE_MS = 100;

/**
 * Creates a read-only relay (spec 4.8). It responds to `GET /{slug}/{path}` with the origin's
 * response to `/{path}`, requested with the service token, as a stream. It stores nothing: no
 * session, no cookie, no cache.
 *
 * Its own responses are 405 for other methods, 403 without a valid slug, 400 for a path with a
 * backslash or an encoded separator, 502 if the origin fails or redirects elsewhere, and 504 if its
 * headers do not arrive in time. Every response is `no-store`.
 *
 * Pass the response only to `Deno.serve`: the memory of a body's chunks is released while it is sent,
 * and other consumers may still hold them.
 *
 * @param settings the settings of one relay; the caller selects it by host
 */
export function createRelay(settings: RelaySettings, deps: RelayDeps): Relay {
  const { name, origin, slug, previousSlug, rewriteLinks } = settings;
  const slugs = previousSlug === undefined ? [slug] : [slug, previousSlug];
  const isSlug = slugCheck(slugs);
  const { clients = createRelayClients(), open = new Map() as OpenResponses } = deps;
  for (const slug of slugs) open.set(slug, open.get(slug) ?? new Set());

  /** Logs only the event, because anything else may be secret. */
  function fail(event: string, status: 502 | 504): Response {
    deps.log({ level: "warn", event, relay: name, status });
    return refuse(status);
  }

  function send(request: Request, url: string, isServed: boolean): Promise<Response> {
    const headers = requestHeaders(request.headers, settings);
    const attempt = (sent: typeof headers) =>
      fetchInTime(deps, clients, url, sent, request, isServed);
    return rewriteLinks ? fetchWhole(headers, attempt) : attempt(headers);
  }

  return async (request, info) => {
    if (request.method !== "GET") return refuse(405);
    const target = parseTarget(request.url);
    if (!isSlug(target.segment)) return refuse(403);
    if (hidesSeparator(target.path) || hasTwoHosts(request.headers)) return refuse(400);
    if (target.path === "") {
      const { search } = new URL(target.query, origin); // in ASCII, as a header requires
      return redirect(`/${target.segment}/${search}`);
    }
    const url = originUrl(origin, target.segment, target);
    if (url === null) return refuse(403);

    let response: Response;
    try {
      response = await send(request, url, info !== undefined);
    } catch (error) {
      if (request.signal.aborted) return refuse(502);
      return error instanceof TimeoutError
        ? fail("relay_timed_out", 504)
        : fail("relay_unreachable", 502);
    }
    const responses = open.get(target.segment);
    if (responses === undefined) { // the slug was revoked in the meantime
      await discard(response);
      return refuse(403);
    }
    if (response.status < 200 || response.status > 599) {
      await discard(response);
      return fail("relay_unusable_answer", 502);
    }
    let created: References | undefined;
    const references = () => created ??= createReferences(origin, target.segment, url);
    const changes = headerChanges(response, settings, references);
    if (changes === null) {
      await discard(response);
      return fail("relay_led_out", 502);
    }
    const { status } = response;
    const onFailure = () => deps.log({ level: "warn", event: "relay_broke_off", relay: name });
    const watching = { onFailure, onBytes: deps.onBytes, responses };
    if (!rewriteLinks && !response.headers.has("content-encoding")) {
      return respond(watch(response, watching), response, changes);
    }
    const content = await transform(
      { body: response.body, headers: change(new Headers(response.headers), changes) },
      status,
      request,
      rewriteLinks ? references : null,
    );
    return new Response(watch(content, watching), { status, headers: seal(content.headers) });
  };
}

/**
 * Decodes a body that the reader could not decode or that must be rewritten, and rewrites its links.
 *
 * @param references null to leave links as they are
 */
async function transform(
  content: Content,
  status: number,
  request: Request,
  references: (() => References) | null,
): Promise<Content> {
  const rewrites = references !== null && status !== 206 &&
    isRewritable(content.headers.get("content-type"));
  const coding = content.headers.get("content-encoding");
  const decoded = coding !== null && (rewrites || !accepts(request, coding))
    ? decode(content, status)
    : content;
  const { body, headers } = decoded;
  if (!rewrites || body === null || headers.has("content-encoding")) return decoded;
  const { rewriteHtml } = await import("./rewrite_html.ts"); // loads a large library
  return { body: body.pipeThrough(rewriteHtml(references())), headers: withoutDigests(headers) };
}

const discard = (response: Response) => response.body?.cancel().catch(() => {});

/** Two headers arrive as one value with a comma. RFC 9112 (3.2) requires a 400 for them. */
const hasTwoHosts = (headers: Headers) => headers.get("host")?.includes(",") ?? false;

/** The origin's headers did not arrive in time. */
class TimeoutError extends Error {}

/** Requests a page again if the response is a part, because only a whole page can be rewritten. */
async function fetchWhole(
  headers: [name: string, value: string][],
  attempt: (headers: [name: string, value: string][]) => Promise<Response>,
): Promise<Response> {
  const response = await attempt(headers);
  if (response.status !== 206 || !isRewritable(response.headers.get("content-type"))) {
    return response;
  }
  // A server may always ignore Range.
  await discard(response);
  return await attempt(headers.filter(([name]) => name !== "range" && name !== "if-range"));
}

/**
 * Requests a URL. Resolves when its headers arrive; rejects when the client disconnects or the time is
 * up, even if `fetch` ignores its signal. After a failed connection it retries once on a new one, which
 * is allowed for GET (RFC 9110, 9.2.2), because an origin may close a pooled connection just as it is
 * used again.
 */
function fetchInTime(
  { fetch, timeoutMs, schedule = scheduleTimeout }: RelayDeps,
  clients: RelayClients,
  url: string,
  headers: [name: string, value: string][],
  request: Request,
  isServed: boolean,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const { signal } = controller;
    const stop = (reason?: Error) => {
      controller.abort(reason);
      end();
      reject(signal.reason);
    };
    const abort = () => stop();
    let caller: AbortSignal | undefined;
    const follow = () => {
      caller = request.signal;
      if (caller.aborted) stop();
      else caller.addEventListener("abort", abort);
    };
    const patience = Math.min(PATIENCE_MS, timeoutMs);
    let cancel = schedule(() => {
      cancel = schedule(() => stop(new TimeoutError()), timeoutMs - patience);
      if (isServed) follow();
    }, patience);
    const end = () => {
      cancel();
      // From here on, cancelling the body's stream ends the request, and its time is not limited.
      caller?.removeEventListener("abort", abort);
    };
    const succeed = (response: Response) => {
      if (signal.aborted) return discard(response);
      end();
      resolve(response);
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const attempt = (client: Deno.HttpClient) => {
      const init: RequestInit & { client: Deno.HttpClient } = {
        headers,
        redirect: "manual",
        signal,
        client,
      };
      return fetch(url, init);
    };
    if (!isServed) follow();
    attempt(clients.pooled).then(succeed, () => {
      if (!signal.aborted) attempt(clients.fresh).then(succeed, fail);
    });
  });
}
