import { hashSchema, type LinkedEvent } from "../event.ts";
import type { Head } from "../head.ts";

/** How many events a page has, and how many at most. */
export const PAGE = 20;
export const MAX_PAGE = 100;

/** Which events: without `before` and `after` the newest. */
export interface PageQuery {
  /** Those below this `seq`, the newest of them. */
  before?: number;
  /** Those above this `seq`, the oldest of them; `before` is then passed over. */
  after?: number;
  /** From 1 to {@link MAX_PAGE}; {@link PAGE} unless said otherwise. */
  limit?: number;
}

/** Some events of a chain, ascending by `seq`, and the head that covers them. */
export interface ChainPage {
  /** The record's hash. */
  hash: string;
  head: Head;
  events: LinkedEvent[];
}

export const headKey = (hash: string): Deno.KvKey => ["chains", hash];
export const eventKey = (hash: string, seq: number): Deno.KvKey => ["chain_events", hash, seq];

/** The signed head of a chain, or null: also for what is no hash, which may not even fit in a key. */
export async function readHead(kv: Deno.Kv, hash: string): Promise<Head | null> {
  if (!hashSchema.safeParse(hash).success) return null;
  return (await kv.get<Head>(headKey(hash))).value;
}

/**
 * Reads a page. The head and the query alone decide which events are on it: one that is appended
 * meanwhile is not. It costs the same wherever it stands in a chain of any length.
 */
export async function readPage(
  kv: Deno.Kv,
  hash: string,
  { before = Infinity, after, limit = PAGE }: PageQuery = {},
): Promise<ChainPage | null> {
  const head = await readHead(kv, hash);
  if (head === null) return null;
  const count = Math.min(Math.max(1, limit), MAX_PAGE);
  const upTo = Math.min(after === undefined ? before : after + 1 + count, head.size);
  const from = after === undefined ? Math.max(0, upTo - count) : after + 1;
  if (from >= upTo) return { hash, head, events: [] };
  const entries = await Array.fromAsync(
    kv.list<LinkedEvent>(
      { start: eventKey(hash, from), end: eventKey(hash, upTo) },
      { batchSize: count },
    ),
  );
  return { hash, head, events: entries.map(({ value }) => value) };
}
