/**
 * Documents of records (docs/documents.md): files with versions and states, which administrators
 * add to a record.
 *
 * @module
 */
import type { DocumentsConfig } from "./variables.ts";
import { publicIssuer } from "../issuers/mod.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import type { RecordData } from "../records/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Failure } from "../../base/result.ts";
import type { BucketLimits } from "./files/bucket_writes.ts";
import {
  begin,
  type ByteRange,
  createKvBytes,
  unreadable,
  UnreadableError,
} from "./files/bytes.ts";
import type { BeginFile } from "./files/http.ts";
import {
  createManagement,
  type DocumentWriters,
  type Management,
  type ManageOptions,
} from "./manage.ts";
import {
  createDraftVersion,
  type DraftOptions,
  type IssueDetails,
  type IssuePdf,
  type Issuer,
  UPLOAD_LIMIT,
} from "./new_version.ts";
import { createWaitingDocuments, type WaitingDocuments, type WaitingWriters } from "./waiting.ts";
import { createRecordData } from "./record_data.ts";
import { createS3Bytes } from "./files/s3.ts";
import {
  createRegistrants,
  findHidden,
  findRegistrants,
  findSame,
  type FoundRegistrants,
  type Registrant,
} from "./registrants.ts";
import {
  type DocumentMatch,
  type DocumentRow,
  documents,
  type DocumentVersion,
  findByIssuer,
  type HashScope,
  listDocuments,
  type OfIssuer,
  type StoredFile,
} from "./store.ts";
import { createStagedFiles, type StagedFile, type StagedFiles } from "./files/staged_files.ts";
import { createUploads, type Uploads } from "./files/uploads.ts";

export { readLogs, readRegistration, type Registration, type VersionLog } from "./statements.ts";
export { countStatements, logDocumentsAgain } from "./log_documents.ts";
export {
  ANSWER_MS,
  type Checks,
  CHECKS_PER_MINUTE,
  createChecks,
  PROOFS_PER_MINUTE,
} from "./checks/check.ts";
export { readPublicStatements } from "./checks/public_statements.ts";
export { anyone, type Checker, checkerOf } from "./checks/viewer.ts";
export { checkBodySchema, checkQuerySchema, checkReportSchema } from "./checks/report.ts";
export { checkBucket } from "./files/s3.ts";
export { contentsOf, type RecordContents } from "./contents.ts";
export * from "./issued_by.ts";
export type { PartiesOf, PartiesReader } from "./parties.ts";
export { findSha256, MAX_SHA256_INPUT } from "./checks/sha256_input.ts";
export { type Access, type AccessRequest } from "./access/access.ts";
export { DECISION_RESULTS, decisionResult, isDecision } from "./access/results.ts";
export {
  DECISION_LIFETIME_MS,
  GRANT_LIFETIME_MS,
  HOLD_MS,
  REQUEST_KEPT_MS,
  type RequestAction,
  type RequestState,
} from "./access/requests.ts";
export { ACCESS_REQUESTED, type OpenConfirmation } from "./access/ask.ts";
export { UPLOAD_LIFETIME_MS } from "./files/bytes.ts";
export { RESUME_LIFETIME_MS } from "./files/downloads.ts";
export { contentOf, FILE_POLICY, fileResponse } from "./files/http.ts";
export { PDF } from "./files/file_types.ts";
export type { Grant } from "./access/cookie.ts";
export * from "./ids.ts";
export * from "./access/input.ts";
export { documentSchema, versionSchema, withdrawalSchema } from "./input.ts";
export * from "./fields.ts";
export * from "./events.ts";
export {
  batchOf,
  byBatch,
  byKey,
  type DocumentDraft,
  type DocumentOwner,
  ERASED,
  isKey,
  type IssuedDocument,
  keyOf,
  type NewDocument,
} from "./manage.ts";
export { UPLOAD_LIMIT } from "./new_version.ts";
export type { NewContent, StagedFile } from "./files/staged_files.ts";
export {
  describeLeftOut,
  LEFT_OUT_NAMES,
  PROBLEMS as PDF_PROBLEMS,
} from "../../../packages/pdf/light.ts";
export * from "./files/pdfjs.ts";
export * from "./access/permission.ts";
export * from "./access/http.ts";
export * from "./access/display.ts";
export * from "./terms.ts";
export {
  fileOf,
  LOADS_PER_VIEW,
  LOOK_UPS_PER_MINUTE,
  type OpenDocument,
  type Reading,
  type Readings,
  READINGS_PER_HOUR,
  TICKET_LIFETIME_MS,
} from "./access/readings.ts";
export { type FoundShare, type LinkAnswer, type OpenLink } from "./access/open_share.ts";
export {
  MAX_SHARE_LABEL,
  MAX_SHARES,
  SHARE_DAYS,
  SHARE_OPENINGS,
  SHARED_READING_MS,
  type ShareState,
} from "./access/share_rows.ts";
export { type NewShare, type Share, type Shares } from "./access/shares.ts";
export {
  BY_EXTERNAL_ID,
  BY_RECIPIENT,
  BY_TERM,
  currentVersion,
  type DocumentForm,
  type DocumentMode,
  type DocumentRow,
  documents as documentRows,
  type DocumentState,
  type DocumentVersion,
  isExpired,
  latestVersion,
  listIds,
  MAX_DOCUMENTS,
  MAX_REASON,
  modeOf,
  type StoredFile,
} from "./store.ts";

export interface DocumentsOptions
  extends Pick<ManageOptions, "publicLog" | "onWithdrawn" | "issuers" | "onEvent"> {
  kv: Deno.Kv;
  clock: () => number;
  /** Returns the current settings, because the keys of a bucket can be replaced. */
  config: () => DocumentsConfig;
  fetch: typeof fetch;
  log: (entry: Record<string, unknown>) => void;
  secrets: Secrets;
  /** The organisations that register documents. */
  organisations: Record<OrganisationKey, Issuer>;
  /** Returns the full URL of a path of the trust surface. */
  trustUrl: (path: string) => string;
  /** Makes the issued copies of PDFs. Without it, PDFs are kept as they are. */
  issuePdf?: IssuePdf;
  bucketLimits?: BucketLimits;
}

/** Every method rejects with `KvBusyError` while the store is too busy. */
export interface Documents extends Omit<Management, "write">, Omit<WaitingDocuments, "write"> {
  /** The changes of documents, each for a unit of work. The other methods are a unit of their own. */
  write: DocumentWriters & WaitingWriters;
  staged: StagedFiles;
  /** Stores the file of a new version before it is decided what becomes of it. */
  receive(
    body: ReadableStream<Uint8Array>,
    name: string,
  ): Promise<{ ok: true; file: StagedFile } | Failure>;
  /** Deletes a received file, unless a document has it. */
  discard(file: StagedFile): Promise<void>;
  /** Reads a document by its id, as `parseDocumentId` returns it. */
  read(id: string): Promise<DocumentRow | null>;
  /** Returns the documents of a record, oldest first. */
  list(record: string): Promise<DocumentRow[]>;
  /** Reads documents by their ids, without those that do not exist. */
  readMany(ids: readonly string[]): Promise<DocumentRow[]>;
  /**
   * Returns the organisations that have registered a file, in the order of their first registrations. Each has
   * one document, whose newest version with this hash it names.
   */
  findByHash(sha256: string, scope: HashScope): Promise<FoundRegistrants>;
  /** Returns the documents of an issuer with a file of this hash, the newest registration first. */
  findByIssuer(of: OfIssuer, limit: number): Promise<DocumentMatch[]>;
  /** Returns who has registered a file in a record with a hash that may not be confirmed to everybody. */
  findHidden(sha256: string, record: string): Promise<Registrant[]>;
  /**
   * Reads a file in constant memory. The stream fails with `UnreadableError` if bytes are missing or
   * their store does not respond.
   */
  open(file: StoredFile, range?: ByteRange): ReadableStream<Uint8Array>;
  /** Opens a file and reads its first bytes. Fails if they cannot be read. */
  begin: BeginFile;
  /** Makes the printable PDF of a version that has no issued copy: who issued it, and its hash. */
  coverSheet(document: DocumentRow, version: DocumentVersion): Promise<Uint8Array<ArrayBuffer>>;
  /** Deletes and moves documents with their record. */
  recordData: RecordData;
  removeUnfinished: Uploads["removeUnfinished"];
  /** Makes changed documents findable after a crash. */
  job: Job;
}

/**
 * Creates the documents.
 *
 * @example
 * ```ts
 * const added = await documents.add({ record, organisation, title, … }, request.body);
 * if (added.ok) documents.open(added.document.versions[0].original); // the same bytes
 * ```
 */
export function createDocuments(
  options: DocumentsOptions,
): Documents {
  const { kv, clock, config, fetch, log, secrets, organisations, trustUrl, issuePdf } = options;
  const { bucketLimits, publicLog, onWithdrawn, issuers, onEvent } = options;
  const kvBytes = createKvBytes(kv);
  const stores = {
    kv: kvBytes,
    s3: config().s3 && createS3Bytes({
      config: () => config().s3!,
      staging: kvBytes,
      fetch,
      log,
      limits: bucketLimits,
    }),
  };
  const uploads = createUploads({ kv, clock, stores, store: config().store, log });
  const staged = createStagedFiles({ kv, clock, secrets });
  const registrants = createRegistrants({ kv, log });

  function open(file: StoredFile, range?: ByteRange): ReadableStream<Uint8Array> {
    const store = stores[file.store];
    if (store === undefined) {
      throw new UnreadableError("The bucket of this document is not configured.");
    }
    return store.open(file, range);
  }

  const beginFile: BeginFile = async (file, range) => {
    const logError = (error: unknown) =>
      log({ level: "error", event: "document_unreadable", store: file.store, reason: `${error}` });
    try {
      return { ok: true, body: await begin(open(file, range), logError) };
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return unreadable();
    }
  };

  const detailsOf = async (
    { id, organisation, issuer, test, at, sha256, title }: Parameters<
      NonNullable<DraftOptions["issue"]>
    >[0],
  ): Promise<IssueDetails> => {
    const row = await issuers.read(organisation, issuer.id);
    const { domain } = publicIssuer(row, clock());
    const verified = domain?.verifiedOn == null ? {} : { domain };
    return {
      sha256,
      title,
      address: trustUrl(`/d/${id}`),
      organisation,
      ...issuer.id === organisation
        ? { issuer: { ...organisations[organisation], ...verified } }
        : {
          issuer: { name: issuer.name, ...verified },
          registrar: organisations[organisation],
        },
      issuedAt: at,
      checkUrl: trustUrl("/check"),
      ...test && { test },
    };
  };
  const draftVersion = createDraftVersion({
    clock,
    uploads,
    staged,
    read: open,
    find: (document, sha256) => findSame(kv, document, sha256),
    issue: issuePdf &&
      (async (about) => {
        const details = await detailsOf(about);
        return (original) => issuePdf(original, details);
      }),
  });
  const changing = { kv, clock, registrants, onEvent };
  const managed = createManagement({ ...changing, draftVersion, publicLog, onWithdrawn, issuers });
  const waiting = createWaitingDocuments({ ...changing, uploads });
  return {
    ...managed,
    ...waiting,
    write: { ...managed.write, ...waiting.write },
    staged,
    async receive(body, name) {
      const received = await uploads.receive(body, UPLOAD_LIMIT);
      return received.ok ? { ok: true, file: { ...received, name } } : received;
    },
    discard: (file) => uploads.discard([file]),
    read: async (id) => (await documents.get(kv, id)).value,
    list: (record) => listDocuments(kv, record),
    readMany: async (ids) =>
      (await documents.getMany(kv, ids.map((id): [string] => [id]))).map(({ value }) => value),
    findByHash: (sha256, scope) => findRegistrants(kv, sha256, scope),
    findByIssuer: (of, limit) => findByIssuer(kv, of, limit),
    findHidden: (sha256, record) => findHidden(kv, sha256, record),
    open,
    begin: beginFile,
    async coverSheet(
      { id, organisation, issuer, title, test },
      { at, original, file_name: name, pages },
    ) {
      const { coverSheet } = await import("./pdf/stamp.ts"); // loads a large library
      const { sha256, size } = original;
      const details = await detailsOf({ id, organisation, issuer, title, test, at, sha256 });
      // The pages of a PDF are counted when it is issued, so only its signature prevented a copy.
      const signed = pages !== null;
      return new Uint8Array(await coverSheet(details, { name, size, signed }));
    },
    recordData: createRecordData({ kv, clock, write: waiting.write, onEvent }),
    removeUnfinished: uploads.removeUnfinished,
    job: registrants.job,
  };
}
