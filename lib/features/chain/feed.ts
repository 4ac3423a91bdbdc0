/** The feed behind `GET /api/chain/:hash`: pages of a record's events, and a live stream of new ones. */
import type { z } from "zod";
import { type Feed, type FeedQuery, MAX_PAGE_SIZE } from "../../platform/http/feed.ts";
import type { FeedPart, FeedSource } from "../../platform/http/feed_streams.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { Head } from "../../../packages/proof/mod.ts";
import { type ChainPage, heads, type PageQuery, type pageQuerySchema, pageTag } from "./page.ts";

/** A client's position in a chain: its last event, and that event's hash if it is known. */
interface ChainPosition {
  seq: number;
  tip?: string;
}

interface ChainReader {
  headWith(
    hash: string,
    key: Deno.KvKey,
  ): Promise<{ head: Head; row: Deno.KvEntryMaybe<unknown> } | null>;
  head(hash: string): Promise<Head | null>;
  page(hash: string, query?: PageQuery, head?: Head): Promise<ChainPage | null>;
}

type Query = z.output<typeof pageQuerySchema>;
type Rewritten = Failure<"chain_rewritten">;

/** The proof that a chain is in the public log, which is read only if a page is. */
interface PageProof {
  /** Changes with the text. */
  version: string;
  read(): Promise<string>;
}

/** Finds the proofs of chains. */
interface ProofSource {
  /** The row on which proofs depend. It is read with the head. */
  key: Deno.KvKey;
  /** Returns the proof of a chain with a number of events; null if there is none. */
  find(size: number, row: Deno.KvEntryMaybe<unknown>): Promise<PageProof | null>;
}

/**
 * Returns a chain as a feed: pages with the signed head, and a stream of new events.
 *
 * @param url the full URL of `GET /api/chain/:hash`
 * @param proofs without it, pages have no proof
 */
export async function chainFeed(
  chains: ChainReader,
  hash: string,
  url: string,
  proofs?: ProofSource,
): Promise<({ ok: true } & Feed<Query, ChainPosition>) | Failure<"not_found">> {
  const unknown = fail("not_found", { message: "This record has no chain here." });
  const found = proofs === undefined
    ? await chains.head(hash).then((head) => head && { head, row: null })
    : await chains.headWith(hash, proofs.key);
  if (found === null) return unknown;
  const { head, row } = found;
  const proof = row && await proofs!.find(head.size, row);
  const version = proof === null ? head.signature : `${head.signature} ${proof.version}`;
  return {
    ok: true,
    url,
    cacheControl: "public, no-cache", // caches must revalidate, because a chain can grow
    version,
    tag: (query) => pageTag(version, query),
    async page(query) {
      const [page, log_proof] = await Promise.all([chains.page(hash, query, head), proof?.read()]);
      if (page === null) return unknown;
      const divergence = await findDivergence(chains, page, query);
      if (divergence !== null) return divergence;
      const { body, ...rest } = describe(page, query);
      const proven = log_proof === undefined ? body : { ...body, log_proof };
      return { ok: true, ...rest, body: proven, etag: await pageTag(version, query) };
    },
    async position({ after, tip }) {
      if (after === undefined) return { ok: true, position: { seq: head.size - 1, tip: head.tip } };
      const divergence = await findDivergence(chains, { hash, head }, { after, tip });
      return divergence ?? { ok: true, position: { seq: after, tip } };
    },
    source: chainSource(chains, hash),
  };
}

/**
 * Returns why the client's chain is not a part of this one: its position is beyond the head, or the
 * event there has another hash. Returns null if there is no contradiction.
 */
async function findDivergence(
  chains: ChainReader,
  { hash, head }: Pick<ChainPage, "hash" | "head">,
  { before, after, tip }: Pick<Query, "before" | "after" | "tip">,
): Promise<Rewritten | null> {
  if (before !== undefined && before > head.size) return rewritten(head);
  if (after === undefined) return null;
  if (after >= head.size) return rewritten(head);
  if (tip === undefined) return null;
  return tip === await hashAt(chains, hash, head, after) ? null : rewritten(head);
}

async function hashAt(chains: ChainReader, hash: string, head: Head, seq: number) {
  if (seq < 0) return hash; // what the first event follows
  if (seq === head.size - 1) return head.tip;
  const page = await chains.page(hash, { before: seq + 1, limit: 1 }, head);
  return page?.events[0]?.hash;
}

const MESSAGE = "This chain does not contain your position. Read it from the start.";

const rewritten = (head: Head): Rewritten =>
  fail("chain_rewritten", { message: MESSAGE, details: { head } });

function describe(page: ChainPage, query: Query) {
  const { head, events } = page;
  const { after, limit } = query;
  // The positions around the page. It is empty if nothing follows `after`, or for `before=0`.
  const first = events.at(0)?.seq ?? (after === undefined ? 0 : after + 1);
  const last = events.at(-1)?.seq ?? first - 1;
  const tip = events.at(-1)?.hash;
  const prev: FeedQuery | null = first > 0 ? { before: first, limit } : null;
  const next: FeedQuery | null = last >= head.size - 1
    ? null
    : last < 0
    ? { before: Math.min(limit, head.size), limit }
    : { after: last, tip, limit };
  const more = after === undefined ? prev : next;
  return {
    body: { ...page, has_more: more !== null },
    prev,
    next,
  };
}

/** Follows a chain. A position that the chain no longer has ends the stream. */
function chainSource(chains: ChainReader, hash: string): FeedSource<ChainPosition> {
  return {
    key: heads.key(hash),
    idOf: ({ seq }) => String(seq),
    async read({ seq, tip }): Promise<FeedPart<ChainPosition>> {
      const page = await chains.page(hash, { after: seq, limit: MAX_PAGE_SIZE });
      const known = page?.events.at(0)?.prev ?? page?.head.tip;
      if (page === null || page.head.size <= seq || (tip !== undefined && known !== tip)) {
        const data = { error: "chain_rewritten", message: MESSAGE };
        const event = { event: "chain_rewritten", data };
        return { events: [event], position: { seq, tip }, more: false, ends: true };
      }
      const last = page.events.at(-1);
      return {
        events: page.events.map((event) => ({
          id: String(event.seq),
          data: event,
        })),
        position: last === undefined ? { seq, tip } : { seq: last.seq, tip: last.hash },
        more: last !== undefined && last.seq < page.head.size - 1,
      };
    },
  };
}
