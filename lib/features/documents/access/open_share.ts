/**
 * The opening of a link to a document by somebody who has its code.
 *
 * @module
 */
import { fail, type Failure, type RateLimited } from "../../../base/result.ts";
import { encodeBase64Url } from "../../../base/encoding.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { MINUTE_MS } from "../../../base/time.ts";
import { addressKey } from "../../../platform/http/client_address.ts";
import { createRateLimiter } from "../../../platform/http/rate_limit.ts";
import { sha256 } from "../../../platform/kv/hash.ts";
import { type Attempt, isoAfter, transact } from "../../../platform/kv/mod.ts";
import {
  addAccess,
  findKey,
  type HolderSession,
  isOwnReading,
  isReading,
  LOOK_UPS_PER_MINUTE,
  readerOf,
  readRecord,
} from "../../records/mod.ts";
import { endedText, issuedBy } from "../issued_by.ts";
import type { PartiesReader } from "../parties.ts";
import { describe } from "./requests.ts";
import { replaceLink } from "./personal_links.ts";
import { findReading, type Grant, readingCookie } from "./cookie.ts";
import {
  afterOpening,
  describeShare,
  endOfReading,
  type ShareRow,
  shares,
  type ShareState,
  stateOfShare,
} from "./share_rows.ts";
import { currentVersion, type DocumentRow, documents } from "../store.ts";

/** How long pressing the button again, in the same browser and from the same address, counts as the same opening. */
const REPEAT_MS = MINUTE_MS;

/** Somebody who has the code of a link. */
export interface LinkReader {
  /** The code, in any form that `findKey` accepts. */
  code: string;
  request: Request;
  clientAddress: string;
  /** The holder who is signed in in this browser. */
  holder: HolderSession | null;
}

/** A link that opens a document, and what the document's lock screen shows to everybody. */
export interface OpenLink {
  state: "open";
  /** The id of the document. */
  document: string;
  /** Null unless anyone may see it. */
  title: string | null;
  issued_by: string;
  /** Says that the issuer no longer issues documents; null unless it does not. */
  issuer_ended: string | null;
  /** When the version in force was added, ISO 8601 in UTC. */
  at: string;
  ends_at: string;
  /** How often it still opens the document. */
  left: number;
  /** True if the holder asks, whose openings do not count. */
  own: boolean;
  /** True if the link is for one person, whose request was approved. */
  personal: boolean;
  /** The random number of the page that shows this. */
  page: string;
}

interface EndedShare {
  state: Exclude<ShareState, "open">;
  /** The document of a link for one person; null for a link of the holder's. */
  personal: string | null;
}

/** The result of looking up a code. It says why a link ended, because nobody can guess a code. */
export type FoundShare =
  | OpenLink
  /** This browser has opened the document, and can read it until then. */
  | { state: "here"; document: string; until: string }
  | EndedShare
  /** Nobody has created it, it ended long ago, or its record was closed. */
  | { state: "unknown" }
  /** The text is not a code. */
  | { state: "malformed" };

/** The content of the page, also after a request for a new link. */
export type LinkAnswer = FoundShare | { state: "renewed" };

/** A code that does not open a document. */
export type EndedLink = Exclude<FoundShare, { state: "open" | "here" }>;

export interface ShareOpening {
  /** Looks up a code without using it. The number of look-ups is limited, so that nobody can try many. */
  look(reader: LinkReader): Promise<{ ok: true; found: FoundShare } | RateLimited>;
  /**
   * Opens the document of a link in a browser. This counts once for each page whose button was
   * pressed, and not for the holder and programs that nobody reads.
   *
   * @param reader.page the random number of that page
   * @returns the cookie with which the browser reads the document; null if it has one, or if the opening
   * does not count
   */
  open(reader: LinkReader & { page: string }): Promise<Opened | RateLimited>;
}

type Opened =
  | { ok: true; document: string; cookie: string | null }
  | (Failure<"not_found"> & { found: EndedLink });

/** A link with the rows on which it depends. */
interface Read {
  entry: Deno.KvEntry<ShareRow>;
  document: Deno.KvEntry<DocumentRow>;
  record: NonNullable<Awaited<ReturnType<typeof readRecord>>>;
}

export interface ShareOpeningOptions {
  kv: Deno.Kv;
  clock: () => number;
  /** Returns the monotonic time in milliseconds, for limits in memory. */
  monotonic?: () => number;
  secrets: Secrets;
  parties: PartiesReader;
}

export function createShareOpening(
  { kv, clock, monotonic, secrets, parties }: ShareOpeningOptions,
): ShareOpening {
  const limiter = createRateLimiter({
    limit: LOOK_UPS_PER_MINUTE,
    windowMs: MINUTE_MS,
    monotonic,
    maxClients: 10_000,
  });
  const take = (clientAddress: string) => {
    const allowed = limiter.take(addressKey(clientAddress));
    return allowed.ok ? null : { ...allowed, message: TOO_MANY };
  };

  async function readLink(
    text: string,
    now: number,
  ): Promise<{ link: Read } | { none: EndedLink }> {
    const code = findKey(text);
    if (code === null) return { none: { state: "malformed" } };
    const entry = await shares.getLive(kv, now, sha256(code));
    if (entry === null) return { none: { state: "unknown" } };
    const [document, record] = await Promise.all([
      documents.get(kv, entry.value.document),
      readRecord(kv, entry.value.record),
    ]);
    if (record === null || record.row.deletion_at) return { none: { state: "unknown" } };
    if (document.versionstamp === null) return { none: { state: "unknown" } };
    return { link: { entry, document, record } };
  }

  /** Returns the reading of a browser that has opened this link. */
  async function readingHere(
    { document, hash: share }: ShareRow,
    state: ShareState,
    request: Request,
    now: number,
  ): Promise<Grant | null> {
    if (state !== "open" && state !== "used") return null;
    return await findReading({ kv, secrets }, request, { document, share }, now);
  }

  /** Ends what an earlier link of the same person gave another browser. */
  async function addReplacement(commit: Deno.AtomicOperation, { person }: ShareRow, now: number) {
    if (!person?.replaces) return;
    const before = await shares.get(kv, person.replaces);
    if (before.versionstamp !== null) replaceLink(commit, before, now);
  }

  /** Opens the document of a link once, unless somebody else opens it at the same time. */
  async function attempt(
    { code, page, request, clientAddress, holder }: Parameters<ShareOpening["open"]>[0],
  ): Promise<Attempt<Opened>> {
    const now = clock();
    const ended = (found: EndedLink) => ({ result: { ...fail("not_found"), found } });
    const found = await readLink(code, now);
    if ("none" in found) return ended(found.none);
    const { entry, record } = found.link;
    const { value: document } = found.link.document;
    const row = entry.value;
    const opened = (cookie: string | null, commit?: Deno.AtomicOperation): Attempt<Opened> => ({
      result: { ok: true, document: document.id, cookie },
      commit,
    });
    const cookieSince = (at: number) => {
      const end = endOfReading(row, at);
      return readingCookie(secrets, request, { document: row.document, share: row.hash, end }, now);
    };
    const state = stateOfShare(row, document, now);
    if (state !== "open" && state !== "used") return ended(endedShare(row, state));
    if (await readingHere(row, state, request, now) !== null) return opened(null);
    // The number of the page comes from the browser, so it alone must not let others read too.
    const agent = request.headers.get("user-agent");
    const hashed = sha256(JSON.stringify([page, addressKey(clientAddress), agent]));
    const pressed = row.opened.find((each) =>
      each.page === hashed && now < Date.parse(each.at) + REPEAT_MS
    );
    if (pressed !== undefined) {
      return opened(await cookieSince(Date.parse(pressed.at)));
    }
    if (state === "used") return ended(endedShare(row, state));
    if (!isReading(request, holder, row.record)) return opened(null);
    const { network, browser } = readerOf(request, clientAddress);
    const commit = kv.atomic().check(record.contact, record.entry, found.link.document);
    const opening = { at: isoAfter(now, 0), network, browser, page: hashed };
    shares.replace(commit, entry, afterOpening(row, opening), now);
    await addReplacement(commit, row, now);
    addAccess(commit, row.record, { ...entryOf(row), reader: { network, browser } }, now);
    return opened(await cookieSince(now), commit);
  }

  return {
    async look({ code, request, clientAddress, holder }) {
      const limited = take(clientAddress);
      if (limited !== null) return limited;
      const now = clock();
      const read = await readLink(code, now);
      if ("none" in read) return { ok: true, found: read.none };
      const { entry: { value: row }, document: { value: document } } = read.link;
      const state = stateOfShare(row, document, now);
      const here = await readingHere(row, state, request, now);
      if (here !== null) {
        const until = here.expires_at;
        return { ok: true, found: { state: "here", document: document.id, until } };
      }
      if (state !== "open") return { ok: true, found: endedShare(row, state) };
      const ofDocument = (await parties.of([document]))(document);
      const found: OpenLink = {
        state,
        document: document.id,
        title: document.public ? document.title : null,
        issued_by: issuedBy(ofDocument),
        issuer_ended: endedText(ofDocument),
        at: currentVersion(document)!.at,
        ends_at: row.ends_at,
        left: row.limit - row.openings,
        own: isOwnReading(holder, row.record),
        personal: row.person !== null,
        page: encodeBase64Url(crypto.getRandomValues(new Uint8Array(16))),
      };
      return { ok: true, found };
    },
    async open(reader) {
      const limited = take(reader.clientAddress);
      return limited ?? await transact(() => attempt(reader));
    },
  };
}

const endedShare = (
  { document, person }: ShareRow,
  state: EndedShare["state"],
): EndedShare => ({ state, personal: person === null ? null : document });

/** Returns the entry of the access log about an opening. */
const entryOf = (row: ShareRow) =>
  row.person === null ? { what: "share_opened" as const, detail: describeShare(row) } : {
    what: "access_opened" as const,
    detail: describe({ document: row.document, id: row.person.request }),
  };

const TOO_MANY = "Too many links were opened from your network. Wait a minute and try again.";
