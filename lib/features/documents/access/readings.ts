/**
 * The readings of documents: views, downloads and prints, counted before anything is sent.
 *
 * @module
 */

import { encodeBase64Url } from "../../../base/encoding.ts";
import { addressKey } from "../../../platform/http/client_address.ts";
import { createRateLimiter } from "../../../platform/http/rate_limit.ts";
import { takeSlot, unlessReadOnly } from "../../../platform/kv/mod.ts";
import {
  type AddToAction,
  isReading,
  type ReaderEvents,
  readerOf,
  type ReaderResult,
  type RecordEntry,
} from "../../records/mod.ts";
import { fail, type Failure, type RateLimited } from "../../../base/result.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { HOUR_MS, MINUTE_MS } from "../../../base/time.ts";
import type { ByteRange } from "../files/bytes.ts";
import { addDownload, canResume, downloads, newTag, takePart } from "../files/downloads.ts";
import { formatDocumentId, parseDocumentId } from "../ids.ts";
import type { Parties } from "../issued_by.ts";
import type { PartiesReader } from "../parties.ts";
import { type Permission, permissionOf, type Visitor } from "./permission.ts";
import {
  type DocumentForm,
  type DocumentRow,
  type DocumentVersion,
  latestVersion,
  type StoredFile,
} from "../store.ts";

/** A print also shows the first 16 digits of a hash, in the same groups as the number. */
const LOST =
  "Compare each character with the print: the number is in the address next to the QR code, and not " +
  "after “SHA-256”. It has 16 digits and letters, without I, L, O and U. If it is the same, nobody " +
  "issued such a document here, or it was deleted.";

/** Lock screens per minute and client, so that nobody can try many ids. */
export const LOOK_UPS_PER_MINUTE = 60;

/**
 * Views, downloads and prints per hour and grant or shared link. Each is an event, so without a limit one reader
 * could make a chain grow without bound.
 */
export const READINGS_PER_HOUR = 60;

/** How long a page can load the file that it shows. */
export const TICKET_LIFETIME_MS = HOUR_MS;

/** How often a page can load it. Further loads are downloads. */
export const LOADS_PER_VIEW = 5;

/** A document as one visitor may see it. */
export interface OpenDocument {
  document: DocumentRow;
  version: DocumentVersion;
  /** `recipient`: it waits for whoever has the mailed link. Their readings are not counted, as the holder's. */
  permission: Permission | "recipient";
}

export interface Reading extends OpenDocument {
  action: "document_viewed" | "document_downloaded" | "document_printed";
  visitor: Visitor;
  request: Request;
  clientAddress: string;
}

export interface DownloadedFile {
  file: StoredFile;
  form: DocumentForm;
  /** The part that is sent, of the download with this tag; null for the whole file. */
  resumed: { tag: string; part: ByteRange } | null;
}

/** A page that shows a document, or a request for the file that it shows. */
export interface View extends OpenDocument {
  visitor: Visitor;
  ticket: string;
}

export interface Readings {
  /**
   * Looks up the document of a lock screen, and who made and registered it. Malformed ids, unknown ids and too many look-ups fail in
   * the same way whatever the id is. The documents of a record that waits for its deletion are
   * unknown.
   */
  lookUp(
    id: string,
    clientAddress: string,
  ): Promise<
    { ok: true; document: DocumentRow; parties: Parties } | Failure<"not_found"> | RateLimited
  >;
  /**
   * Returns a version as a visitor may see it; null if it does not exist.
   *
   * @param number the version's number; default: the newest version
   */
  open(document: DocumentRow, visitor: Visitor, number?: number): OpenDocument | null;
  /**
   * Appends the event of a reading to the record's chain and writes the access log, as the rules for
   * readers say. The holder's own readings and those of no person do nothing.
   */
  count(reading: Reading): Promise<ReaderResult | RateLimited | null>;
  /** Returns whether a reader was sent an entity tag, with which they may resume a download. */
  canResume(reading: Reading, file: StoredFile, tag: string): Promise<boolean>;
  /**
   * Counts a download as `count` does, unless it is a part that has not been sent since the download
   * was counted.
   *
   * @returns the entity tag with which the download can be resumed, if it can
   */
  countDownload(
    reading: Reading,
    download: DownloadedFile,
  ): Promise<{ ok: true; tag: string | null } | Failure>;
  /** Returns a ticket for a page that was counted as a view, to load the file that it shows. */
  createTicket(view: Omit<View, "ticket">): Promise<string>;
  /** Returns whether a request has the ticket of such a page, which the same reader opened. */
  hasTicket(view: View): Promise<boolean>;
  /** Counts a load of the file with such a ticket. Returns false if there were too many. */
  takeLoad(view: View, file: StoredFile): Promise<boolean>;
}

export interface ReadingsOptions {
  kv: Deno.Kv;
  clock: () => number;
  /** Returns the monotonic time in milliseconds, for limits in memory. */
  monotonic?: () => number;
  secrets: Pick<Secrets, "sign" | "verify">;
  documents: { read(id: string): Promise<DocumentRow | null> };
  records: { read(hash: string): Promise<RecordEntry | null>; readers: ReaderEvents };
  parties: PartiesReader;
}

export function createReadings(
  { kv, clock, monotonic, secrets, documents, records, parties }: ReadingsOptions,
): Readings {
  const readingLimiter = createRateLimiter({
    limit: READINGS_PER_HOUR,
    windowMs: HOUR_MS,
    monotonic,
    maxClients: 10_000,
  });
  const limiter = createRateLimiter({
    limit: LOOK_UPS_PER_MINUTE,
    windowMs: MINUTE_MS,
    monotonic,
    maxClients: 10_000,
  });
  async function readWithRecord(id: string) {
    const document = await documents.read(id);
    if (document === null) return null;
    const [partiesOf, record] = await Promise.all([
      parties.of([document]),
      document.record === null ? null : records.read(document.record),
    ]);
    return { document, parties: partiesOf(document), record };
  }

  async function count(
    { action, document, version, permission, visitor, request, clientAddress }: Reading,
    form?: DocumentForm,
    addToCommit?: AddToAction,
  ): Promise<ReaderResult | RateLimited | null> {
    const { record: hash } = document;
    if (hash === null) return null; // there is no chain yet
    if (isOwn(permission) || !isReading(request, visitor.holder, hash)) {
      return null;
    }
    const as = AS[permission];
    if (as === "grant") {
      const allowed = readingLimiter.take(visitor.grant!.id);
      if (!allowed.ok) return { ...allowed, message: TOO_OFTEN };
    }
    const detail = [
      `${formatDocumentId(document.id)} version ${version.number}`,
      ...form === "original" ? ["the original"] : [],
      ...as === "administrator" ? ["by an administrator"] : [],
      ...as === "grant" ? [`with ${visitor.grant!.name}`] : [],
    ].join(", ");
    const counted = await unlessReadOnly(() =>
      records.readers.add({
        hash,
        kind: action,
        object: document.id,
        reader: readerOf(request, clientAddress),
        as,
        detail,
      }, addToCommit)
    );
    return counted ?? null;
  }

  return {
    async lookUp(text, clientAddress) {
      const allowed = limiter.take(addressKey(clientAddress));
      if (!allowed.ok) return { ...allowed, message: TOO_MANY };
      const id = parseDocumentId(text);
      const read = id === null ? null : await readWithRecord(id);
      return read === null || !isOpen(read)
        ? fail("not_found", {
          message: "No document has this number.",
          issues: { number: LOST },
        })
        : { ok: true, document: read.document, parties: read.parties };
    },
    open(document, visitor, number) {
      const version = number === undefined
        ? latestVersion(document)
        : document.versions.find((each) => each.number === number);
      return version === undefined
        ? null
        : { document, version, permission: permissionOf(visitor, document, version, clock()) };
    },
    count: (reading) => count(reading),
    canResume: async (reading, { blob }, tag) =>
      isOwn(reading.permission)
        ? tag === holderTag(blob)
        : await canResume(kv, { blob, tag, reader: keyOf(reading) }, clock()),
    async countDownload(reading, { file: { blob }, form, resumed }) {
      if (isOwn(reading.permission)) return { ok: true, tag: holderTag(blob) };
      const download = { blob, tag: resumed?.tag ?? newTag(), reader: keyOf(reading) };
      const part = resumed?.part ?? null;
      if (part !== null) {
        const isNew = await unlessReadOnly(() => takePart(kv, download, part, clock()));
        if (isNew) return { ok: true, tag: download.tag };
      }
      const counted = await count(reading, form, (commit) => {
        addDownload(commit, download, part, clock());
      });
      if (counted === null) return { ok: true, tag: resumed?.tag ?? null };
      return counted.ok ? { ok: true, tag: download.tag } : counted;
    },
    async createTicket(view) {
      // Views at the same time have different tickets.
      const random = encodeBase64Url(crypto.getRandomValues(new Uint8Array(8)));
      const id = `${clock() + TICKET_LIFETIME_MS}.${random}`;
      return `${id}.${await secrets.sign("document-view", signedText(view, id))}`;
    },
    async hasTicket({ ticket, ...view }) {
      const parts = partsOf(ticket);
      return parts !== null && clock() < parts.end &&
        await secrets.verify("document-view", signedText(view, parts.id), parts.signature);
    },
    async takeLoad({ permission, ticket }, { blob }) {
      if (isOwn(permission)) return true;
      const parts = partsOf(ticket);
      if (parts === null) return false;
      const key = downloads.key(blob, parts.id);
      const window = { key, limit: LOADS_PER_VIEW, windowMs: TICKET_LIFETIME_MS };
      const taken = await unlessReadOnly(() => takeSlot(kv, window, clock));
      return taken === undefined || taken.ok;
    },
  };
}

/** Returns the parts of a ticket; null if it is malformed. */
function partsOf(ticket: string): { id: string; end: number; signature: string } | null {
  const found = /^((\d{1,16})\.[\w-]{11})\.([\w-]{43})$/.exec(ticket);
  return found && { id: found[1], end: Number(found[2]), signature: found[3] };
}

/** Returns the text that a page's ticket signs: the view that it allows, and its end and random number. */
const signedText = (
  { document, version, permission, visitor }: Omit<View, "ticket">,
  id: string,
) => [document.id, version.number, permission, visitor.grant?.id ?? "", id].join("\n");

const isOwn = (
  permission: OpenDocument["permission"],
): permission is "holder" | "recipient" => permission === "holder" || permission === "recipient";

/** The holder's downloads are not counted, so they can be resumed at any time. */
const holderTag = (blob: string) => `"${blob}"`;

/** Identifies the reader of counted downloads. */
const keyOf = ({ visitor, permission }: Reading): string =>
  permission === "grant" ? visitor.grant!.id : AS[permission as "operator"];

const AS = { operator: "administrator", grant: "grant", public: "anonymous" } as const;

const TOO_MANY = "Too many documents were opened from your network. Wait a minute and try again.";

const TOO_OFTEN = "You have opened this document too often. Try again in an hour.";

/** Returns the file to show or download: the issued copy, unless there is none. */
export const fileOf = (
  { original, issued }: Pick<DocumentVersion, "original" | "issued">,
  form: DocumentForm = "issued",
): { file: StoredFile; form: DocumentForm } =>
  form === "issued" && issued !== null
    ? { file: issued, form }
    : { file: original, form: "original" };

/** Returns whether a document is shown. Nobody sees those of a record that will be deleted. */
const isOpen = (
  { document, record }: { document: DocumentRow; record: RecordEntry | null },
): boolean => document.record === null || record !== null && !record.row.deletion_at;
