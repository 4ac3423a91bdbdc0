/**
 * The links with which holders share their documents.
 *
 * @module
 */
import { decodeBase64Url } from "../../../base/encoding.ts";
import { fail, type Failure, rateLimited } from "../../../base/result.ts";
import { DAY_MS, formatCount, formatDateTime } from "../../../base/time.ts";
import { sha256 } from "../../../platform/kv/hash.ts";
import { apart, readSlot, transact, unchecked } from "../../../platform/kv/mod.ts";
import { type Mailer, transactAndMail } from "../../../platform/mail/mod.ts";
import {
  addAccess,
  keyFrom,
  NOT_IN_FORCE,
  type Notices,
  type Reader,
  readExisting,
  readRecord,
  waitsToCorrect,
} from "../../records/mod.ts";
import { accessLimits } from "./limits.ts";
import { formatDocumentId } from "../ids.ts";
import { documentsOfReadings, findReading, type Grant } from "./cookie.ts";
import { createShareOpening, type ShareOpening, type ShareOpeningOptions } from "./open_share.ts";
import {
  afterEnd,
  describeShare,
  listShares,
  MAX_SHARES,
  newShare,
  shareName,
  type ShareRow,
  shares,
  SHARES_PER_DAY,
  type ShareState,
  stateOfShare,
  stillWorks,
} from "./share_rows.ts";
import { type DocumentRow, documents, endOf, listDocuments } from "../store.ts";

/** A link as its holder sees it. */
export interface Share extends Omit<ShareRow, "expires_at" | "opened" | "person"> {
  name: string;
  state: ShareState;
  /** False once ending it would change nothing: it opens nothing, and no browser reads the document. */
  works: boolean;
  /** The newest openings, newest first. */
  opened: { at: string; network: string; browser: string }[];
}

/** A link to create, with which a holder shares a document. */
export interface NewShare {
  /** The hash of the holder's record. */
  record: string;
  /** The id of the document. */
  document: string;
  days: number;
  openings: number;
  label: string | null;
  /** The random number of the form. The same form sent again leads to the same link. */
  form: string;
  reader: Reader;
}

/** The links that open documents: the holder's, and those of people whose requests were approved. */
export interface Shares extends ShareOpening {
  /** Creates a link of the holder's, and mails a notice of it. Only this result contains its code. */
  create(share: NewShare): Promise<{ ok: true; code: string; share: Share } | Failure>;
  /** Ends a link of the holder's, and the readings that it has given. Succeeds if it has already ended. */
  end(
    link: { record: string; hash: string; reader: Reader },
  ): Promise<{ ok: true; share: Share } | Failure<"not_found">>;
  /**
   * Returns the holder's links to the documents of a record, newest first.
   *
   * @param documents those of the record, if the caller reads them too
   */
  list(record: string, documents?: Promise<readonly DocumentRow[]>): Promise<Share[]>;
  /**
   * Returns what a link gives the browser of a request for a document. Nobody reads it while the record
   * waits for its deletion.
   */
  readingOf(request: Request, document: string): Promise<Grant | null>;
  /** Returns the ids of the documents that a link may open in the browser of a request. */
  openedIn(request: Request): string[];
}

export interface SharesOptions extends ShareOpeningOptions {
  mailer: Mailer;
  notices: Notices;
}

/**
 * Creates the links that open documents.
 *
 * @example
 * ```ts
 * const { code } = unwrap(await shares.create({ record, document, days: 7, openings: 1, … }));
 * const { cookie } = unwrap(await shares.open({ code, … })); // counts one opening
 * ```
 */
export function createShares(options: SharesOptions): Shares {
  const { kv, clock, secrets, mailer, notices } = options;

  function viewOf(row: ShareRow, document: DocumentRow | null): Share {
    const { expires_at: _, person: __, opened, ...share } = row;
    const now = clock();
    const state = stateOfShare(row, document, now);
    const openings = opened.map(({ page: _, ...opening }) => opening);
    const works = stillWorks(row, state, now);
    return { ...share, name: shareName(row), state, works, opened: openings };
  }

  /** Returns why a document cannot be shared, or its links that are open if it can. */
  async function refusalOf(
    { record, document }: NewShare,
    row: DocumentRow | null,
    now: number,
  ): Promise<Failure | null> {
    if (row === null || row.record !== record) return fail("not_found");
    const end = endOf(row, now);
    if (end !== null) return fail("conflict", { message: ENDED[end.as] });
    const listed = await apart(
      "A new link takes a slot of its record.",
      () => listShares(kv, record, now),
    );
    const open = listed.filter((each) =>
      each.document === document && stateOfShare(each, row, now) === "open"
    );
    return open.length < MAX_SHARES ? null : fail("conflict", { message: TOO_MANY });
  }

  return {
    ...createShareOpening(options),
    create(share) {
      const { record: hash, document: id, days, openings, label, form, reader } = share;
      return transactAndMail<Awaited<ReturnType<Shares["create"]>>>(mailer, async () => {
        const now = clock();
        // Computed from the form, so that a form that is sent twice creates one link.
        const text = [hash, id, form].join("\n");
        const code = keyFrom(
          new Uint8Array(decodeBase64Url(await secrets.sign("document-share-code", text))),
        );
        const key = sha256(code);
        const commit = kv.atomic();
        const [record, document, before, slot] = await Promise.all([
          readRecord(kv, hash),
          documents.get(kv, id),
          shares.get(kv, key),
          readSlot(kv, accessLimits.shares.of([hash]), now),
        ]);
        if (record === null) return { result: fail("not_found") };
        if (record.row.replaced_by !== null || await waitsToCorrect(kv, record)) {
          return { result: fail("conflict", { message: NOT_IN_FORCE }) };
        }
        if (record.row.deletion_at) return { result: fail("conflict", { message: CLOSED }) };
        if (before.value?.record === hash) {
          return {
            result: { ok: true, code, share: viewOf(before.value, document.value) },
            commit,
          };
        }
        const refused = await refusalOf(share, document.value, now);
        if (refused !== null) return { result: refused };
        if (slot.waitMs > 0) {
          return { result: { ...rateLimited(slot.waitMs), message: TOO_MANY_TODAY } };
        }
        const row = newShare(
          { hash: key, document: id, record: hash, label, limit: openings, person: null },
          now + days * DAY_MS,
          now,
        );
        commit.check(record.contact, record.entry, document);
        slot.take(commit);
        shares.replace(commit, before, row, now);
        addAccess(
          commit,
          hash,
          { what: "document_shared", reader, detail: describeShare(row) },
          now,
        );
        const mails = await notices.add(commit, {
          record,
          kind: "document_shared",
          undo: { act: "revoke_share", share: key },
          reader,
          facts: [
            ["Document", formatDocumentId(id)],
            ["Valid until", formatDateTime(row.ends_at)],
            ["Opens it", openings === 1 ? "once" : `up to ${formatCount(openings)} times`],
          ],
        }, now);
        return { result: { ok: true, code, share: viewOf(row, document.value) }, commit, mails };
      });
    },
    end: ({ record: hash, hash: key, reader }) =>
      transact<Awaited<ReturnType<Shares["end"]>>>(async () => {
        const now = clock();
        const commit = kv.atomic();
        const [record, entry] = await Promise.all([
          readExisting(kv, hash),
          shares.get(kv, key),
        ]);
        const row = entry.value;
        if (record === null || row?.record !== hash || row.person !== null) {
          return { result: fail("not_found") };
        }
        const found = await documents.get(kv, row.document);
        unchecked("The page only shows the document.", found);
        const document = found.value;
        const ended = afterEnd(row, now);
        if (ended === null) return { result: { ok: true, share: viewOf(row, document) }, commit };
        commit.check(record.contact);
        shares.replace(commit, entry, ended, now);
        addAccess(commit, hash, { what: "share_ended", reader, detail: describeShare(row) }, now);
        return { result: { ok: true, share: viewOf(ended, document) }, commit };
      }),
    async list(record, documents = listDocuments(kv, record)) {
      const [rows, ofRecord] = await Promise.all([listShares(kv, record, clock()), documents]);
      return rows.map((row) => viewOf(row, ofRecord.find(({ id }) => id === row.document) ?? null));
    },
    openedIn: documentsOfReadings,
    async readingOf(request, document) {
      const reading = await findReading(options, request, { document }, clock());
      const record = reading && await readRecord(kv, reading.record);
      return record && !record.row.deletion_at ? reading : null;
    },
  };
}

const ENDED = {
  withdrawn: "The document was withdrawn, so a link would not open it.",
  expired: "The document has expired, so a link would not open it.",
};
const CLOSED = "This record will be deleted.";
const TOO_MANY = `A document has at most ${MAX_SHARES} open links. End one of them first.`;
const TOO_MANY_TODAY = `You can create at most ${SHARES_PER_DAY} links in a day.`;
