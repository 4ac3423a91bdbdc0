import type { Head } from "../../features/chain/mod.ts";
import { createBoundedCache } from "../../platform/http/bounded_cache.ts";
import { type Coding, codingFor } from "../../platform/http/compression.ts";
import { wantsStream } from "../../platform/http/audience.ts";
import { isNotModified } from "../../platform/http/etag.ts";
import { pageSentFor, type StoredPage, storedPageSize } from "../../platform/http/feed.ts";
import { loadHeaders } from "../../platform/http/header.ts";
import { hostOf } from "../../platform/http/host.ts";
import { responseWith } from "../../platform/http/response.ts";
import type { Services } from "../services.ts";
import { relayFor } from "./relays.ts";
import { requestObserver, type RequestPlace } from "./telemetry.ts";

type Handle = (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

const ROUTE = "/api/chain/:hash";
const START = "/api/chain/";
const TARGET = /^\/api\/chain\/([0-9a-f]{64})(?:\?|$)/;

/** In bytes. */
const LIMIT = 16_000_000;
const MAX_URL = 500;
const MAX_ORIGIN = 300;

type Headers = readonly (readonly [name: string, value: string])[];

/** A page with the responses that clients got for it, including all headers. */
interface Sent {
  /** The value of the `Host` header. */
  host: string;
  hash: string;
  page: StoredPage;
  place: RequestPlace;
  /** The headers of the page, and of the response to a client that has it; null until it was sent. */
  full: Headers | null;
  notModified: Headers | null;
}

/**
 * Responds to a request for a page of a chain that has been sent before in the same form, if the
 * chain's head is still the same, without Fresh, which takes several times as long. All other
 * requests pass through the middlewares, whose responses are remembered here with their headers. Only
 * surfaces without sessions take part, where nothing else changes a page.
 *
 * @returns a function that returns null for requests that cannot be for such a page
 */
export function chainPages(
  services: Services,
  handle: Handle,
): (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> | null {
  const { chains, inFlight, surfaces } = services;
  const observe = requestObserver(services);
  const cache = createBoundedCache<Sent>({
    limit: LIMIT,
    sizeOf: ({ page }) => storedPageSize(page) + 2_000, // both lists of headers
  });

  /** Returns null if the page is no longer the same, or was not sent in this form. */
  function respond(
    req: Request,
    info: Deno.ServeHandlerInfo | undefined,
    sent: Sent,
  ): Response | null | Promise<Response | null> {
    const start = performance.now();
    if (info !== undefined) inFlight.add(info.completed);
    const { hash, page, place } = sent;
    const known = req.headers.get("if-none-match") !== null && isNotModified(req, page.etag);
    const headers = known ? sent.notModified : sent.full;
    if (headers === null) return null;
    const respondFor = (head: Head | null) => {
      if (head?.signature !== page.version) return null;
      const status = known ? 304 : 200;
      observe(req, start, place, status);
      return responseWith(known ? null : page.body, headers, status);
    };
    const head = chains.recentHead(hash);
    // If the store fails, it fails in the middlewares too, which then respond.
    return head instanceof Promise ? head.then(respondFor, () => null) : respondFor(head);
  }

  /** Remembers a response, if the same request would get it again. */
  function remember(req: Request, response: Response, key: string): void {
    const page = pageSentFor(req);
    const { status, headers } = response;
    if (page === undefined || headers.has("set-cookie") || status !== 200 && status !== 304) return;
    const path = pathOf(req.url);
    const hash = TARGET.exec(path)?.[1];
    const host = hostOf(req);
    if (hash === undefined || host === null || relayFor(services, req) !== undefined) return;
    const surface = surfaces.byHost(host);
    if (surface === undefined || surface.signIn !== null || surface.holders) return;
    const older = cache.get(key);
    const sent = older?.page === page ? older : {
      host: req.headers.get("host")!,
      hash,
      page,
      place: { surface: surface.name, route: ROUTE },
      full: null,
      notModified: null,
    };
    cache.set(key, { ...sent, [status === 200 ? "full" : "notModified"]: [...headers] });
  }

  async function handleAndRemember(
    req: Request,
    info: Deno.ServeHandlerInfo | undefined,
    key: string,
  ): Promise<Response> {
    const response = await handle(req, info);
    remember(req, response, key);
    return response;
  }

  return (req, info) => {
    const { method, url } = req;
    const path = url.indexOf("/", "https://".length);
    if (method !== "GET" || !url.startsWith(START, path) || url.length > MAX_URL) return null;
    loadHeaders(req);
    const origin = req.headers.get("origin");
    if (origin !== null && origin.length > MAX_ORIGIN || wantsStream(req)) return null;
    const key = keyOf(url, origin, codingFor(req));
    const sent = cache.get(key);
    if (sent === undefined || req.headers.get("host") !== sent.host) {
      return hostOf(req) === null ? null : handleAndRemember(req, info, key);
    }
    const response = respond(req, info, sent);
    const orPass = (response: Response | null) => response ?? handleAndRemember(req, info, key);
    return response instanceof Promise ? response.then(orPass) : Promise.resolve(orPass(response));
  };
}

/** Everything in a request that a page depends on. */
const keyOf = (url: string, origin: string | null, coding: Coding | null) =>
  `${coding} ${origin} ${url}`;

const pathOf = (url: string) => url.slice(url.indexOf("/", "https://".length));
