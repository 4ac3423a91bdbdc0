/**
 * The links that open documents, as they are stored.
 *
 * @module
 */
import { z } from "zod";
import { DAY_MS, HOUR_MS, inDays, plural } from "../../../base/time.ts";
import { defineTable, expires, EXPIRING, isLive, isoAfter } from "../../../platform/kv/mod.ts";
import { formatDocumentId } from "../ids.ts";
import { type DocumentRow, endOf } from "../store.ts";

/** The choices of how long a link lasts, in days. */
export const SHARE_DAYS = [1, 7, 30, 90] as const;

/** The choices of how often a link opens the document. The last one is more than people need. */
export const SHARE_OPENINGS = [1, 5, 25, 1000] as const;

/** The longest label of a shared link, in characters. */
export const MAX_SHARE_LABEL = 100;

/** The most links to one document that are open at the same time. */
export const MAX_SHARES = 20;

/** New links per record and day. Each of them is mailed to the holder. */
export const SHARES_PER_DAY = 20;

/** How long the browser that opened a link can read the document. */
export const SHARED_READING_MS = HOUR_MS;

/** How long a link is listed after its end. */
const KEPT_MS = 30 * DAY_MS;

/** The openings of a link that are stored with it. All of them are in the access log. */
const LISTED_OPENINGS = 20;

const LONGEST = Math.max(...SHARE_DAYS) * DAY_MS;

const opening = z.strictObject({
  /** ISO 8601 in UTC. */
  at: z.string(),
  network: z.string(),
  browser: z.string(),
  /**
   * SHA-256 of the number of the page whose button was pressed, with the address and the browser, so that
   * pressing it twice is one opening.
   */
  page: z.string(),
});

/** The terms of a link for one person, whose request for access was approved. */
const personalTerms = z.strictObject({
  /** The id of the request. */
  request: z.string(),
  /** The link that opened the document before; its browser reads it until this link is opened. */
  replaces: z.string().nullable(),
  /** True once a newer link has taken its place: it opens nothing, and its browser reads nothing. */
  replaced: z.boolean(),
});

const shareRow = z.strictObject({
  /** SHA-256 of the code. The code itself is not stored. */
  hash: z.string(),
  /** The id of the document. */
  document: z.string(),
  record: z.string(),
  /** The holder's note, such as for whom the link is; null without one. */
  label: z.string().nullable(),
  /** Null for a link of the holder's, which is for everybody who has it. */
  person: personalTerms.nullable(),
  created_at: z.string(),
  ends_at: z.string(),
  /** How often it opens the document, and how often it has. */
  limit: z.number(),
  openings: z.number(),
  /** The newest openings, newest first. */
  opened: z.array(opening),
  /** When it was ended before `ends_at`; null if it was not. */
  ended_at: z.string().nullable(),
  ...EXPIRING,
});

export type ShareRow = z.infer<typeof shareRow>;

const BY_RECORD = "document_shares_by_record";
/** Holders' links only, so that their lists do not cost more with each request that was approved. */
const OF_HOLDER = "document_shares_of_holder";

/**
 * The links to documents: those with which holders share them, and those of people whose requests were
 * approved.
 */
export const shares = defineTable({
  prefix: "document_shares",
  value: shareRow,
  key: ["hash"],
  indexes: {
    [BY_RECORD]: ["record"],
    [OF_HOLDER]: {
      keysOf: ({ record, created_at, person }: ShareRow, key: Deno.KvKey) =>
        person === null ? [[record, created_at, ...key]] : [],
      value: () => null,
    },
  },
  owner: { record: "record" },
  lifetime: expires(`${inDays(KEPT_MS)} after its end`),
  per: "link to a document",
  privacy: [{
    section: "record",
    label: "Shared links",
    text:
      "For each link with which you share a document: a fingerprint (SHA-256) of its code, your " +
      "note, the document, when it was created and ends, how often it opens the document and has, " +
      `and the last ${plural(LISTED_OPENINGS, "opening")} with time, network and name of the ` +
      `browser. We keep it for ${inDays(KEPT_MS)} after the link's end, which is at most ` +
      `${inDays(LONGEST)} after it was created.`,
  }, {
    section: "document_access",
    label: "The link to the document",
    text:
      "If your request is approved: a fingerprint (SHA-256) of the link's code, the request, when the " +
      "link ends, and when, from which network and with which browser you opened it. Your browser " +
      "keeps a signed cookie until the access ends, which names the document and the link. We keep " +
      `the link for ${inDays(KEPT_MS)} after its end.`,
  }, {
    section: "open_document",
    label: "Shared links",
    text:
      "If you open a document with a link from its holder: the time, your network and the name " +
      "of your browser, with the link. Your browser keeps a signed cookie for " +
      `${plural(SHARED_READING_MS / HOUR_MS, "hour")}, which names the document and the link.`,
  }],
});

/**
 * The state of a link. `used`: it has opened the document as often as it may, or a newer link of the same
 * person has replaced it; `withdrawn` and `document_expired`: the document can no longer be read.
 */
export type ShareState =
  | "open"
  | "used"
  | "expired"
  | "ended"
  | "withdrawn"
  | "document_expired";

/** Returns the state of a link, given its document. */
export function stateOfShare(
  { ended_at, ends_at, openings, limit, person }: ShareRow,
  document: DocumentRow | null,
  now: number,
): ShareState {
  if (ended_at !== null) return "ended";
  if (now >= Date.parse(ends_at)) return "expired";
  const end = endOf(document, now);
  if (document === null || end?.as === "withdrawn") return "withdrawn";
  if (end !== null) return "document_expired";
  return openings < limit && !person?.replaced ? "open" : "used";
}

/** Returns until when a browser that opened a link reads the document, in milliseconds since 1970. */
export function endOfReading({ person, ends_at }: ShareRow, openedAt: number): number {
  const end = Date.parse(ends_at);
  return person === null ? Math.min(openedAt + SHARED_READING_MS, end) : end;
}

/**
 * Returns whether ending a link takes anything away: it opens its document now or after a new version, or a
 * browser may still read the document.
 */
export function stillWorks({ opened }: ShareRow, state: ShareState, now: number): boolean {
  if (state === "ended" || state === "expired") return false;
  return state !== "used" || opened.some(({ at }) => now < Date.parse(at) + SHARED_READING_MS);
}

/** Returns how people name a link, which does not reveal its code. */
export const shareName = ({ hash }: Pick<ShareRow, "hash">): string =>
  `${hash.slice(0, 4)} ${hash.slice(4, 8)}`;

/** Describes a link in the access log. */
export const describeShare = (row: Pick<ShareRow, "hash" | "document">): string =>
  `${formatDocumentId(row.document)}, link ${shareName(row)}`;

/**
 * Returns a new link.
 *
 * @param end its end, in milliseconds since 1970
 */
export function newShare(
  share: Pick<ShareRow, "hash" | "document" | "record" | "label" | "limit" | "person">,
  end: number,
  now: number,
): ShareRow {
  return {
    ...share,
    created_at: isoAfter(now, 0),
    ends_at: isoAfter(end, 0),
    openings: 0,
    opened: [],
    ended_at: null,
    expires_at: isoAfter(end, KEPT_MS),
  };
}

/** Returns a link after it was opened once more. */
export const afterOpening = (row: ShareRow, opened: ShareRow["opened"][number]): ShareRow => ({
  ...row,
  openings: row.openings + 1,
  opened: [opened, ...row.opened].slice(0, LISTED_OPENINGS),
});

/** Returns a link that ends now; null if it has already ended. */
export const afterEnd = (row: ShareRow, now: number): ShareRow | null =>
  row.ended_at !== null || now >= Date.parse(row.ends_at)
    ? null
    : { ...row, ended_at: isoAfter(now, 0), expires_at: isoAfter(now, KEPT_MS) };

/** Returns all links to the documents of a record. */
export const listLinks = (kv: Deno.Kv, record: string, now: number): Promise<ShareRow[]> =>
  findLinks(kv, BY_RECORD, record, now);

/** Returns the links with which the holder of a record shares its documents, newest first. */
export const listShares = (kv: Deno.Kv, record: string, now: number): Promise<ShareRow[]> =>
  findLinks(kv, OF_HOLDER, record, now);

async function findLinks(
  kv: Deno.Kv,
  index: typeof BY_RECORD | typeof OF_HOLDER,
  record: string,
  now: number,
): Promise<ShareRow[]> {
  const found = await shares.find(kv, index, [record], { reverse: true });
  return found.map(({ value }) => value).filter((row) => isLive(row, now));
}
