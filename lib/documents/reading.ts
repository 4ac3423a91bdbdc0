import { addressKey } from "../http/client_address.ts";
import { createRateLimiter } from "../http/rate_limit.ts";
import { isReading, type ReaderEvents, readerOf, type ReaderResult } from "../records/mod.ts";
import { fail, type Failure, type RateLimited } from "../result.ts";
import { MINUTE_MS } from "../time.ts";
import { formatDocumentId, parseDocumentId } from "./ids.ts";
import { type Permission, permissionOf, type Visitor } from "./permission.ts";
import {
  type DocumentForm,
  type DocumentRow,
  type DocumentVersion,
  latestVersion,
  type StoredFile,
} from "./store.ts";

/** Lock screens per minute and client, so that nobody can try many ids. */
export const LOOK_UPS_PER_MINUTE = 60;

/** A document as one visitor may see it. */
export interface OpenDocument {
  document: DocumentRow;
  version: DocumentVersion;
  permission: Permission;
}

/** What a reader did with a document. */
export interface Reading extends OpenDocument {
  act: "document_viewed" | "document_downloaded" | "document_printed";
  /** Which file was downloaded. */
  form?: DocumentForm;
  visitor: Visitor;
  request: Request;
  clientAddress: string;
}

export interface Readings {
  /**
   * Looks up the document of a lock screen. Malformed ids, unknown ids and too many look-ups fail in
   * the same way whatever the id is.
   */
  lookUp(
    id: string,
    clientAddress: string,
  ): Promise<{ ok: true; document: DocumentRow } | Failure<"not_found"> | RateLimited>;
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
  count(reading: Reading): Promise<ReaderResult | null>;
}

export interface ReadingsOptions {
  clock: () => number;
  documents: { read(id: string): Promise<DocumentRow | null> };
  readers: Pick<ReaderEvents, "add">;
}

export function createReadings({ clock, documents, readers }: ReadingsOptions): Readings {
  const limiter = createRateLimiter({
    limit: LOOK_UPS_PER_MINUTE,
    windowMs: MINUTE_MS,
    clock,
    maxClients: 10_000,
  });
  return {
    async lookUp(text, clientAddress) {
      const allowed = limiter.take(addressKey(clientAddress));
      if (!allowed.ok) return { ...allowed, message: TOO_MANY };
      const id = parseDocumentId(text);
      const document = id === null ? null : await documents.read(id);
      return document === null
        ? fail("not_found", { message: "No document is registered under this number." })
        : { ok: true, document };
    },
    open(document, visitor, number) {
      const version = number === undefined
        ? latestVersion(document)
        : document.versions.find((each) => each.number === number);
      return version === undefined
        ? null
        : { document, version, permission: permissionOf(visitor, document, version, clock()) };
    },
    async count({ act, document, version, form, permission, visitor, request, clientAddress }) {
      if (permission === "holder" || !isReading(request, visitor.holder, document.record)) {
        return null;
      }
      const as = AS[permission];
      const detail = [
        `${formatDocumentId(document.id)} version ${version.number}`,
        ...form === "original" ? ["the original"] : [],
        ...as === "administrator" ? ["by an administrator"] : [],
        ...as === "grant" ? [`with the grant ${formatDocumentId(visitor.grant!.id)}`] : [],
      ].join(", ");
      return await readers.add({
        hash: document.record,
        kind: act,
        object: document.id,
        reader: readerOf(request, clientAddress),
        as,
        detail,
      });
    },
  };
}

const AS = { operator: "administrator", grant: "grant", public: "anonymous" } as const;

const TOO_MANY = "Too many documents were opened from your network. Wait a minute and try again.";

/** Returns the file to show or download: the issued copy, unless there is none. */
export const fileOf = (
  { original, issued }: Pick<DocumentVersion, "original" | "issued">,
  form: DocumentForm = "issued",
): { file: StoredFile; form: DocumentForm } =>
  form === "issued" && issued !== null
    ? { file: issued, form }
    : { file: original, form: "original" };
