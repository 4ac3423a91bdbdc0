/**
 * Reads a chain and its keys from a server that is not trusted.
 *
 * @module
 */
import { parseUrl } from "../../../../lib/base/urls.ts";
import { headSchema } from "../head.ts";
import { isPublisher } from "../publisher.ts";
import * as z from "../zod.ts";
import { ChainReadError, readJson, type ReadOptions } from "./read_json.ts";
import { isLoopback } from "../../../../lib/base/loopback.ts";

const MAX_EVENTS = 100_000;
const PAGE_SIZE = 100;

/** A chain as received from a server, not verified yet. */
interface FetchedChain {
  head: unknown;
  /** The proof that a size of the chain is in the public log; undefined if there is none. */
  log_proof?: unknown;
  /** All events from event 0, if the server is honest. */
  events: unknown[];
}

interface FetchOptions extends ReadOptions {
  /** Called after each page with the number of events read and the expected total. */
  onProgress?: (read: number, total: number) => void;
}

const pageSchema = z.object({
  head: z.unknown().optional(),
  log_proof: z.unknown().optional(),
  events: z.array(z.unknown()),
});

/**
 * Reads a chain from its end back to event 0, in pages of 100. The head and the proof come with the first
 * page, so they cover everything that is read.
 *
 * The position of each page is counted, not taken from its events. An altered `seq` therefore stays
 * at its position, where the verifier reports it.
 *
 * @param url the chain's URL, such as a registration's `chain_url`: `…/api/chain/<record hash>`
 * @throws {ChainReadError} (rejects) if a response is not a page of a chain, or the chain has more
 * than {@link MAX_EVENTS} events
 *
 * @example
 * ```ts
 * const { head, events } = await fetchChain("https://api.example/api/chain/" + hash);
 * ```
 */
export async function fetchChain(
  url: string,
  { onProgress, ...options }: FetchOptions = {},
): Promise<FetchedChain> {
  const newest = await readPage(url, { limit: PAGE_SIZE }, options);
  const total = countEvents(newest);
  if (total > MAX_EVENTS) {
    throw new ChainReadError("too_large", `The chain has more than ${MAX_EVENTS} events.`);
  }
  const pages = [newest.events];
  let start = total - newest.events.length;
  onProgress?.(total - start, total);
  while (start > 0) {
    const { events } = await readPage(url, { before: start, limit: PAGE_SIZE }, options);
    if (events.length === 0) break; // events are missing; the verifier reports which
    pages.unshift(events);
    start -= events.length;
    onProgress?.(total - Math.max(0, start), total);
  }
  return { head: newest.head, log_proof: newest.log_proof, events: pages.flat() };
}

/** Returns the chain's length by the newest page's `seq`s, or by the head if they are inconsistent. */
function countEvents({ head, events }: z.infer<typeof pageSchema>): number {
  const [first, last] = [events.at(0), events.at(-1)].map((event) => seqOf(event));
  if (first !== undefined && last !== undefined && last - first === events.length - 1) {
    return last + 1;
  }
  return headSchema.safeParse(head).data?.size ?? events.length;
}

const eventSchema = z.object({ seq: z.int().min(0) });
const seqOf = (event: unknown) => eventSchema.safeParse(event).data?.seq;

async function readPage(url: string, query: Record<string, number>, options: ReadOptions) {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, `${value}`);
  const page = pageSchema.safeParse(await readJson(address.href, options));
  if (page.success && page.data.events.length <= PAGE_SIZE) return page.data;
  throw new ChainReadError("bad_response", `${address.href} did not return a page of a chain.`);
}

/** The path at which a publisher serves its keys (standard, "Keys"). */
export const KEYS_PATH = "/.well-known/chain-keys.json";

const keySetSchema = z.object({ keys: z.array(z.unknown()) });

/**
 * Returns the URL of a publisher's keys: HTTPS, or plain HTTP for a loopback host.
 *
 * @param publisher a host, with its port if it has one
 * @returns null if `publisher` is not a host
 * @example
 * ```ts
 * keysUrl("trust.example"); // "https://trust.example/.well-known/chain-keys.json"
 * ```
 */
export function keysUrl(publisher: string): string | null {
  const url = isPublisher(publisher) ? parseUrl(`https://${publisher}`) : null;
  if (url === null) return null;
  const isLocal = isLoopback(url.hostname) || url.hostname.endsWith(".localhost");
  const scheme = isLocal ? "http" : "https";
  return `${scheme}://${publisher}${KEYS_PATH}`;
}

/** Returns the `keys` of a JWK Set, or an empty list for any other value. */
export const keysOf = (set: unknown): unknown[] => keySetSchema.safeParse(set).data?.keys ?? [];

/** @throws {ChainReadError} (rejects) if the response is not a JWK Set */
export async function fetchKeys(url: string, options: ReadOptions = {}): Promise<unknown[]> {
  const set = keySetSchema.safeParse(await readJson(url, options));
  if (set.success) return set.data.keys;
  throw new ChainReadError("bad_response", `${url} did not return a JWK Set.`);
}
