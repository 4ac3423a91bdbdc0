/** Stored chains: the tables of heads and events, reading a page of events, and the query that selects it. */
import { z } from "zod";
import { eTag } from "../../platform/http/etag.ts";
import { limitSchema, MAX_PAGE_SIZE, PAGE_SIZE } from "../../platform/http/feed.ts";
import { integer } from "../../platform/http/schemas.ts";
import { defineTable } from "../../platform/kv/mod.ts";
import {
  canonicalHash,
  findHash,
  hashSchema,
  type Head,
  headSchema,
  type LinkedEvent,
  linkedEventSchema,
} from "../../../packages/proof/mod.ts";

export { MAX_PAGE_SIZE };

/** Selects events. Without `before` and `after`, it selects the newest. */
export interface PageQuery {
  /** The newest events below this `seq`. */
  before?: number;
  /** The oldest events above this `seq`. Takes precedence over `before`. */
  after?: number;
  /** From 1 to {@link MAX_PAGE_SIZE}. Defaults to {@link PAGE_SIZE}. */
  limit?: number;
}

const chainPageSchema = z.object({
  hash: hashSchema,
  head: headSchema,
  events: z.array(linkedEventSchema),
});

/** Some events of a chain, in ascending order of `seq`, and the head that covers them. */
export type ChainPage = z.infer<typeof chainPageSchema>;

/** A hash as people and programs send it, which may be in capitals. */
export const sentHash = z.string().overwrite(canonicalHash)
  .regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits");

/** The message for text that is not a hash. */
export const NOT_A_HASH = "A record's hash has 64 hexadecimal digits.";

/** The query of `GET /verify` as JSON. The hash may be part of a text, such as a URL. */
export const locationQuerySchema = z.object({
  hash: z.string(NOT_A_HASH).transform((text, ctx) => {
    const hash = findHash(text);
    if (hash !== undefined) return hash;
    ctx.addIssue({ code: "custom", message: NOT_A_HASH });
    return z.NEVER;
  }).pipe(hashSchema).describe("The hash of the record."),
});

/** The response of `GET /verify` as JSON: where the chain and the publisher's keys are. */
export const locationSchema = z.object({
  hash: hashSchema,
  publisher: z.string().describe("A host, as in the origin of the head."),
  chain_url: z.url(),
  keys_url: z.url(),
});

/** The response of `GET /api/chain/:hash`. */
export const chainFeedSchema = chainPageSchema.extend({
  log_proof: z.string().optional().describe(
    "The proof (C2SP tlog-proof) that the largest countersigned size of the chain is in the public log. " +
      "It is against the first checkpoint that satisfies the publisher's quorum, else has the line of an " +
      "independent witness, else of any, or the first one from `log_size` on. Its `extra` is the chain's " +
      "`log_salt`. Absent until the log has published one.",
  ),
  has_more: z.boolean().describe(
    "Whether there are more events in the direction of the query: newer ones with `after`, older " +
      "ones otherwise.",
  ),
});

const MAX_SEQ = 1e15 - 1;

export const seqSchema = integer(0, MAX_SEQ, "the seq of an event: a whole number from 0");

/** The position after an event, or before the first one. */
const positionSchema = integer(-1, MAX_SEQ, "the seq of an event, or -1 for the start");

/**
 * A {@link PageQuery} in a query string: `?before=<seq>&limit=` or `?after=<seq>&limit=`. With
 * `after`, `tip` is the hash of that event as the client knows it.
 */
export const pageQuerySchema = z.object({
  before: seqSchema.optional().describe("Selects the newest events below this `seq`."),
  after: positionSchema.optional().describe(
    "Selects the oldest events above this `seq`. With -1, they are the first ones.",
  ),
  tip: sentHash.optional().describe("With `after`: the hash of that event as you know it."),
  log_size: integer(0, MAX_SEQ, "a size of the public log: a whole number from 0").optional()
    .describe(
      "Asks for a proof against a checkpoint of the public log with at least this many entries, such as the " +
        "newest one. Default: the first one that satisfies the publisher's own quorum.",
    ),
  limit: limitSchema,
}).refine(({ tip, after }) => tip === undefined || after !== undefined, {
  path: ["tip"],
  error: "allowed only together with after",
});

const TABLE = {
  owner: "nobody",
  lifetime: { kept: "as long as records are published", removedBy: "nothing" },
  privacy: {
    section: "enquiry",
    label: "Its chain",
    text: "The record's hash and the events of the record, with their times and our signature. " +
      "Anyone who has the hash can read the chain for as long as we publish records. It " +
      "contains no personal data: because the hash includes a random value, nobody can use it to " +
      "test a guess about you.",
  },
} as const;

/** The signed head of each chain. */
export const heads = defineTable({
  ...TABLE,
  prefix: "chains",
  value: headSchema,
  key: ["record"],
  watched: true,
  per: "record",
});

/** The events of all chains. An event never changes. */
export const chainEvents = defineTable({
  ...TABLE,
  prefix: "chain_events",
  value: linkedEventSchema,
  key: ["record", "seq"],
  per: "event of a record",
});

/**
 * Returns a page of events. Its content depends only on the head and the query: an event that is
 * appended during the read is not included. The cost does not depend on the length of the chain.
 */
export async function readPage(
  kv: Deno.Kv,
  hash: string,
  head: Head,
  query: PageQuery = {},
): Promise<ChainPage> {
  const { start, end } = boundsOf(head, query);
  if (start >= end) return { hash, head, events: [] };
  const selector = { start: chainEvents.key(hash, start), end: chainEvents.key(hash, end) };
  const entries = await Array.fromAsync(
    kv.list<LinkedEvent>(selector, { batchSize: end - start }),
  );
  return { hash, head, events: entries.map(({ value }) => value) };
}

/**
 * Reads the head together with the events that the query probably selects, in one round trip. They are
 * read again if an event was appended in between.
 *
 * @returns null if there is no such chain
 */
export async function readHeadAndPage(
  kv: Deno.Kv,
  hash: string,
  query: PageQuery = {},
): Promise<ChainPage | null> {
  const { before = Infinity, after } = query;
  const limit = countOf(query);
  const selector = after !== undefined
    ? { start: chainEvents.key(hash, after + 1), end: chainEvents.key(hash, after + 1 + limit) }
    : { start: chainEvents.key(hash, 0), end: chainEvents.key(hash, before) };
  const options = { limit, reverse: after === undefined, batchSize: limit };
  const [{ value: head }, entries] = await Promise.all([
    heads.get(kv, hash),
    Array.fromAsync(kv.list<LinkedEvent>(selector, options)),
  ]);
  if (head === null) return null;
  const { start, end } = boundsOf(head, query);
  const events = entries.map(({ value }) => value).sort((a, b) => a.seq - b.seq)
    .filter(({ seq }) => seq >= start && seq < end);
  return events.length === Math.max(0, end - start)
    ? { hash, head, events }
    : await readPage(kv, hash, head, query);
}

const countOf = ({ limit = PAGE_SIZE }: PageQuery): number =>
  Math.min(Math.max(1, limit), MAX_PAGE_SIZE);

/** Returns the `seq` of the first event of a page, and that of the first one after it. */
function boundsOf(
  { size }: Head,
  { before = Infinity, after, ...query }: PageQuery,
): { start: number; end: number } {
  const count = countOf(query);
  const end = Math.min(after === undefined ? before : after + 1 + count, size);
  return { start: after === undefined ? Math.max(0, end - count) : after + 1, end };
}

/**
 * Returns the entity tag of a page.
 *
 * @param version the head's signature and the version of the proof, which together with the query determine the
 * page, so that a conditional request for an unchanged page does not read the page
 */
export const pageTag = (
  version: string,
  { before, after, limit, tip }: PageQuery & { tip?: string },
): Promise<string> => eTag(JSON.stringify([version, before, after, limit, tip]), { weak: true });
