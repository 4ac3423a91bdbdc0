/** Serves lists that only grow, as JSON pages with cursors or as event streams. */
import type { z } from "zod";
import type { Failure } from "../../base/result.ts";
import { currentActor } from "../kv/mod.ts";
import type { BoundedCache } from "./bounded_cache.ts";
import { checkInput } from "./body.ts";
import { addressKey, type ClientContext, clientOf } from "./client_address.ts";
import {
  codingFor,
  compressOnce,
  MIN_COMPRESSED_BYTES,
  ONCE_CODINGS,
  type OnceCoding,
} from "./compression.ts";
import { RequestError, unwrap } from "./errors.ts";
import { isNotModified } from "./etag.ts";
import type { FeedSource, FeedStreams } from "./feed_streams.ts";
import type { InFlight } from "./in_flight.ts";
import { integer } from "./schemas.ts";
import { wantsStream } from "./audience.ts";

/** The number of events of a page, unless `limit` says otherwise. */
export const PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

/** The `limit` of a feed's query. */
export const limitSchema = integer(
  1,
  MAX_PAGE_SIZE,
  `a number of events from 1 to ${MAX_PAGE_SIZE}`,
).default(PAGE_SIZE).describe("The number of events.");

/** A page of a feed, and the queries of the pages next to it, if there are any. */
interface FeedPage {
  body: unknown;
  etag: string;
  /** The query of the page with older events. */
  prev: FeedQuery | null;
  /** The query of the page with newer events. */
  next: FeedQuery | null;
}

/** A page of a feed, ready to be sent. */
export interface StoredPage {
  /** The version of the data that its content depends on, besides its URL and query. */
  version: string;
  etag: string;
  /** Uncompressed pages are text, which Deno sends faster than bytes. */
  body: string | Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

/** Returns an upper bound of a page's size in memory: two bytes per character, and 1,000 for the rest. */
export const storedPageSize = ({ body }: StoredPage): number =>
  body.length * (typeof body === "string" ? 2 : 1) + 1_000;

export type FeedQuery = Record<string, string | number | undefined>;

/** A list that only grows, served as pages and as a stream. */
export interface Feed<Query, Position> {
  /** The full URL, from the configured base. */
  url: string;
  cacheControl: string;
  /**
   * Together with the URL and the query, determines a page completely, so that pages can be kept in
   * memory. Without it they are not.
   */
  version?: string;
  /** Further request headers that responses depend on. */
  vary?: string;
  /** Returns the entity tag of a page without reading the page. */
  tag(query: Query): Promise<string>;
  page(query: Query): Promise<({ ok: true } & FeedPage) | Failure>;
  /** Returns the position of a query's `after`, or the newest one. */
  position(query: Query): Promise<{ ok: true; position: Position } | Failure>;
  source: FeedSource<Position>;
}

interface StreamContext extends ClientContext {
  state: ClientContext["state"] & { services: { streams: FeedStreams; inFlight: InFlight } };
}

interface FeedContext extends StreamContext {
  url: URL;
  state: StreamContext["state"] & { services: { feedPages: BoundedCache<StoredPage> } };
}

/** The parameters that select a page, which a stream does not have. */
const PAGE_PARAMETERS = ["before", "limit"];

/**
 * Reads the query of a feed. Unknown and repeated parameters are rejected, because a misspelt cursor
 * would otherwise return the newest page. In a stream's request, `Last-Event-ID` replaces `after`.
 *
 * @throws {RequestError} 400 that names an invalid parameter
 */
export function readFeedQuery<Schema extends z.ZodObject>(
  { req, url }: Pick<FeedContext, "req" | "url">,
  schema: Schema,
): z.output<Schema> {
  const given: Record<string, string> = {};
  const isStream = wantsStream(req);
  for (const [name, value] of url.searchParams) {
    const issue = !Object.hasOwn(schema.shape, name)
      ? "not a parameter of this feed"
      : Object.hasOwn(given, name)
      ? "given more than once"
      : isStream && PAGE_PARAMETERS.includes(name)
      ? "not allowed for a stream"
      : null;
    if (issue !== null) throw invalid(name.slice(0, 40), issue);
    given[name] = value;
  }
  if (given.before !== undefined && given.after !== undefined) {
    throw invalid("after", "use either before or after");
  }
  const last = isStream ? req.headers.get("last-event-id") : null;
  if (last !== null && last !== "" && last !== given.after) {
    given.after = last;
    delete given.tip; // it belongs to the position in the URL
  }
  return checkInput(schema, given);
}

const invalid = (name: string, issue: string) =>
  new RequestError(400, "A parameter is invalid.", { issues: { [name]: issue } });

/**
 * Serves a feed: a page as JSON with `Link` (RFC 8288), `ETag` and compression, or for
 * `Accept: text/event-stream` a stream of the events that follow `after`.
 *
 * @throws {RequestError} for a position that the feed does not have, and for too many streams
 */
export async function serveFeed<Query, Position>(
  ctx: FeedContext,
  feed: Feed<Query, Position>,
  query: Query,
): Promise<Response> {
  const { req } = ctx;
  const vary = ["Accept", feed.vary].filter(Boolean).join(", ");
  if (wantsStream(req)) return await streamResponse(ctx, feed, query, vary);
  const headersOf = (etag: string) => ({
    etag,
    "cache-control": feed.cacheControl,
    vary: `${vary}, Accept-Encoding`,
  });
  const { feedPages } = ctx.state.services;
  const { version } = feed;
  const coding = codingFor(req, ONCE_CODINGS);
  const key = `${coding} ${feed.url} ${JSON.stringify(query)}`;
  const known = feedPages.get(key);
  const stored = version !== undefined && known?.version === version ? known : undefined;
  const etag = stored?.etag ?? await feed.tag(query);
  if (isNotModified(req, etag)) {
    return new Response(null, { status: 304, headers: headersOf(etag) });
  }
  if (stored !== undefined) return new Response(stored.body, { headers: stored.headers });
  const page = unwrap(await feed.page(query));
  const link = (["next", "prev"] as const)
    .flatMap((rel) => page[rel] === null ? [] : [`<${urlOf(feed.url, page[rel])}>; rel="${rel}"`]);
  const { body, headers } = encode(coding, page.body, {
    ...headersOf(page.etag),
    ...link.length > 0 && { link: link.join(", ") },
  });
  // The page may be newer than its feed, whose version must not be stored with it then.
  if (version !== undefined && page.etag === etag) {
    feedPages.set(key, { version, etag, body, headers });
  }
  return new Response(body, { headers });
}

function urlOf(url: string, query: FeedQuery): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) target.searchParams.set(name, String(value));
  }
  return target.href;
}

/** Returns a value as JSON, compressed if it is long enough. Its entity tag must be weak. */
export function jsonResponse(
  req: Request,
  value: unknown,
  others: Record<string, string>,
): Response {
  const { body, headers } = encode(codingFor(req, ONCE_CODINGS), value, others);
  return new Response(body, { headers });
}

function encode(coding: OnceCoding | null, value: unknown, others: Record<string, string>) {
  const text = JSON.stringify(value);
  const headers: Record<string, string> = { "content-type": "application/json", ...others };
  if (coding === null || text.length < MIN_COMPRESSED_BYTES) return { body: text, headers };
  headers["content-encoding"] = coding;
  return { body: compressOnce(new TextEncoder().encode(text), coding), headers };
}

async function streamResponse<Query, Position>(
  ctx: FeedContext,
  feed: Feed<Query, Position>,
  query: Query,
  vary: string,
): Promise<Response> {
  if (!ctx.state.services.streams.enabled) return noStream(vary);
  const { position } = unwrap(await feed.position(query));
  return openStream(ctx, feed.source, position, vary);
}

/** An EventSource that gets this status does not reconnect. */
const noStream = (vary: string) => new Response(null, { status: 204, headers: { vary } });

/**
 * Responds with a stream of the events that follow a position.
 *
 * @throws {RequestError} for too many streams
 */
export function openStream<Position>(
  ctx: StreamContext,
  source: FeedSource<Position>,
  from: Position,
  vary: string,
): Response {
  const { streams, inFlight } = ctx.state.services;
  if (!streams.enabled) return noStream(vary);
  const headers = {
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    vary,
  };
  if (ctx.req.method === "HEAD") return new Response(null, { headers });
  const client = addressKey(clientOf(ctx));
  const actor = currentActor();
  const ask = actor?.isLimited ? () => actor.ask() : undefined;
  const { body } = unwrap(streams.open(source, { from, client, ask }));
  // A stream would delay shutdown, which ends it anyway.
  inFlight.exclude(ctx.info.completed);
  return new Response(body, { headers });
}
