import * as z from "../zod.ts";
import { headSchema } from "../head.ts";
import { ChainReadError, readJson, type ReadOptions } from "./read_json.ts";

/** The most events that are read of one chain. */
export const MAX_EVENTS = 100_000;
const PAGE = 100;

/** A chain as somebody's server gave it: nothing in it is verified. */
export interface FetchedChain {
  /** As JSON gave it. */
  head: unknown;
  /** All of it, from event 0 on as far as the server is honest. */
  events: unknown[];
}

export interface FetchOptions extends ReadOptions {
  /** Told after each page: how many events are here, and how many there seem to be. */
  onProgress?: (have: number, of: number) => void;
}

const pageSchema = z.object({ head: z.unknown().optional(), events: z.array(z.unknown()) });

/**
 * Reads a chain from its end back to event 0, a page of 100 after the other. The head comes with
 * the first page, so it covers all that is read.
 *
 * Where a page begins is counted, not taken from its events, so that an altered `seq` stands where
 * it was altered, for the verifier to name.
 *
 * @param url of the chain, as a registration's `chain_url`: `…/api/chain/<record hash>`
 * @throws {ChainReadError} (rejects) where the server does not answer with pages of a chain, or
 * with more than {@link MAX_EVENTS} events
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
  const newest = await readPage(url, { limit: PAGE }, options);
  const total = endOf(newest);
  if (total > MAX_EVENTS) {
    throw new ChainReadError("too_large", `The chain has more than ${MAX_EVENTS} events.`);
  }
  const pages = [newest.events];
  let begin = total - newest.events.length;
  onProgress?.(total - begin, total);
  while (begin > 0) {
    const { events } = await readPage(url, { before: begin, limit: PAGE }, options);
    if (events.length === 0) break; // events are missing; the verifier says which
    pages.unshift(events);
    begin -= events.length;
    onProgress?.(total - Math.max(0, begin), total);
  }
  return { head: newest.head, events: pages.flat() };
}

/** How many events there are: as the newest page counts itself, or else as the head says. */
function endOf({ head, events }: z.infer<typeof pageSchema>): number {
  const [first, last] = [events.at(0), events.at(-1)].map((event) => seqOf(event));
  if (first !== undefined && last !== undefined && last - first === events.length - 1) {
    return last + 1;
  }
  const parsed = headSchema.safeParse(head);
  return parsed.success ? parsed.data.size : events.length;
}

const eventSchema = z.object({ seq: z.int().min(0) });
const seqOf = (event: unknown) => eventSchema.safeParse(event).data?.seq;

async function readPage(url: string, query: Record<string, number>, options: ReadOptions) {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, `${value}`);
  const page = pageSchema.safeParse(await readJson(address.href, options));
  if (page.success && page.data.events.length <= PAGE) return page.data;
  throw new ChainReadError("bad_answer", `${address.href} is no page of a chain.`);
}
