import { ChainBehindLogError, type Log } from "../log/mod.ts";
import { logDocument } from "./statements.ts";
import { addAudit } from "../audit/mod.ts";
import { asSite, transact } from "../../platform/kv/mod.ts";
import {
  addAccess,
  ADMINISTRATOR,
  readExisting,
  readRecord,
  type RecordEntry,
  SITE,
} from "../records/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { formatCount } from "../../base/time.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { formatDocumentId, newDocumentId } from "./ids.ts";
import {
  isGuessable,
  type NewVersion,
  type PreparedVersion,
  type PrepareVersion,
} from "./new_version.ts";
import { expiryProblem } from "./fields.ts";
import {
  currentVersion,
  type DocumentRow,
  documents,
  type DocumentVersion,
  fits,
  listIds,
  MAX_DOCUMENTS,
} from "./store.ts";
import { type Registrants, saveDocument, type Unsettled } from "./registrants.ts";
import { type AddDocumentEvent, type AfterCommit, createEmit } from "./events.ts";
import { type Issuers, issuingProblem } from "../issuers/mod.ts";
import type { NewContent } from "./files/staged_files.ts";
import { TOO_LONG, type Uploads } from "./files/uploads.ts";
import { addWithdrawal } from "./access/withdrawals.ts";

/** A document that an administrator adds to a record. */
export interface NewDocument extends IssuedDocument {
  /** The hash of the record. */
  record: string;
}

/** A document that an issuer adds. */
export interface IssuedDocument
  extends NewVersion, Pick<DocumentRow, "test" | "external_id" | "date" | "named"> {
  /** Default: a new one. */
  id?: string;
  organisation: OrganisationKey;
  /** The id of the organisation that made it. Default: the document's own organisation. */
  issuer?: string;
  title: string;
  kind: string;
  public: boolean;
  expires_at?: string | null;
}

/**
 * Decides in the commit of a new document which record it belongs to, and checks what that depends on. It
 * runs again if the commit fails.
 */
export type Place = (commit: Deno.AtomicOperation, now: number) => Promise<
  | {
    ok: true;
    /** Null if the document waits for its recipient. */
    record: string | null;
    /** The id of the recipient. */
    recipient?: string;
    /** Adds what else belongs to the commit. Returns why the document is refused, if it is. */
    addToCommit?(
      commit: Deno.AtomicOperation,
      document: DocumentRow,
    ): Promise<Failure | void>;
  }
  | Failure
>;

/** The properties of a document that an administrator can change without a new version. */
export type DocumentChanges = Partial<
  Pick<DocumentRow, "title" | "kind" | "public" | "guessable" | "expires_at">
>;

/** A file that can be registered, with its issued copy; null if there would be none. */
export interface CheckedFile extends Pick<DocumentVersion, "issued" | "pages"> {
  ok: true;
}

export type DocumentResult = { ok: true; document: DocumentRow } | Failure;

/** Adds to the commit that changes a document. Returns why the change is refused, if it is. */
export type AddToDocument = (
  commit: Deno.AtomicOperation,
  document: DocumentRow,
) => Promise<Failure | void>;

type ChangeResult =
  | { ok: true; document: DocumentRow; unsettled: Unsettled | null; after?: AfterCommit }
  | Failure;

export interface ManageOptions {
  kv: Deno.Kv;
  clock: () => number;
  uploads: Uploads;
  prepare: PrepareVersion;
  publicLog: Log;
  issuers: Pick<Issuers, "read" | "addUse">;
  registrants: Registrants;
  /** Returns what adds to the commit of each event. */
  onEvent?: () => readonly AddDocumentEvent[];
  /** Ends the requests for a document that was withdrawn. Default: its job does. */
  onWithdrawn?(document: string): Promise<void>;
}

/**
 * The changes of documents. Each is in the record's access log, and those by administrators are in the audit
 * log.
 */
export interface Management {
  /**
   * Stores a document with its first version. If it fails, nothing is stored, and the body may not
   * have been read.
   */
  add(document: NewDocument, content: NewContent): Promise<DocumentResult>;
  /** Makes the issued copy that {@link Management.addFor} would store, and stores nothing. */
  check(document: IssuedDocument, content: NewContent): Promise<CheckedFile | Failure>;
  /** Like {@link Management.add}, for an issuer. The record is decided in the commit. */
  addFor(document: IssuedDocument, content: NewContent, place: Place): Promise<DocumentResult>;
  /**
   * Adds a version, which replaces the current one. It may change whether the document's hashes
   * are published; by default, they are hidden if the content of its file could be guessed.
   */
  addVersion(
    id: string,
    version: NewVersion,
    content: NewContent,
    addToCommit?: AddToDocument,
  ): Promise<DocumentResult>;
  /**
   * Withdraws the current version.
   *
   * @param by the administrator's email address, or `key` and the id of the issuer's key
   * @param addToCommit adds to the commit. It runs again if the commit fails.
   */
  withdraw(
    id: string,
    reason: string,
    by: string,
    addToCommit?: AddToDocument,
  ): Promise<DocumentResult>;
  edit(id: string, changes: DocumentChanges, by: string): Promise<DocumentResult>;
}

export function createManagement(options: ManageOptions): Management {
  const { kv, clock, prepare } = options;
  const emit = createEmit(options);
  /** Stores the files of a document. */
  async function begin({ issuer: from, id, ...given }: IssuedDocument, content: NewContent) {
    const { file_name, by, guessable, onlyNew, askHash, askLeftOut, expires_at, ...about } = given;
    const { organisation } = about;
    const row = await options.issuers.read(organisation, from || organisation);
    const unable = issuingProblem(row);
    if (row === null || unable !== null) return unable!;
    const issuer = { id: row.id, name: row.name };
    const details = { ...about, issuer, id: id ?? newDocumentId() };
    const asked = { file_name, by, guessable, onlyNew, askHash, askLeftOut };
    const prepared = await prepare(details, asked, content);
    return prepared.ok
      ? { ...prepared, details, guessable, expires_at: expires_at ?? null }
      : prepared;
  }
  const add: Management["addFor"] = async (document, content, place) => {
    const prepared = await begin(document, content);
    if (!prepared.ok) return prepared;
    const { version, details, guessable, expires_at } = prepared;
    const { organisation, issuer } = details;
    const { by } = document;
    return await commitVersion(options, prepared, async (commit) => {
      const now = clock();
      const holder = await place(commit, now);
      if (!holder.ok) return holder;
      const document: DocumentRow = {
        ...details,
        record: holder.record,
        ...holder.recipient !== undefined && { recipient: holder.recipient },
        guessable: guessable ?? isGuessable(version.original),
        expires_at,
        created_at: version.at,
        versions: [{ ...version, number: 1, state: "current" }],
      };
      const use = { organisation, id: issuer.id, at: version.at };
      // Together, so that their reads take one round trip, as do those below.
      const [refused, logged] = await Promise.all([
        options.issuers.addUse(commit, use),
        logUnlessTest(options, commit, document, null),
      ]);
      if (refused !== null) return refused;
      const unsettled = saveDocument(commit, logged, null);
      log(commit, logged, { what: "document_added", by }, now);
      const [declined, after] = await Promise.all([
        holder.addToCommit?.(commit, logged),
        emit(commit, "document.issued", logged, now),
      ]);
      return declined ? declined : { ok: true, document: logged, unsettled, after };
    });
  };
  return {
    addFor: add,
    async check(document, content) {
      const prepared = await begin(document, content);
      if (!prepared.ok) return prepared;
      await options.uploads.discard(prepared.files);
      const { issued, pages } = prepared.version;
      return { ok: true, issued, pages };
    },
    async add({ record: hash, ...document }, content) {
      const expires = expiryProblem(document.expires_at, clock());
      if (expires !== undefined) return invalidExpiry(expires);
      const refused = await refusal(kv, hash);
      if (refused !== null) return refused;
      return await add(document, content, async (commit) => {
        const record = await readRecord(kv, hash);
        const refused = recordProblem(record);
        if (refused !== null) return refused;
        commit.check(record!.contact, record!.entry);
        return { ok: true, record: hash };
      });
    },
    async addVersion(id, version, content, addToCommit) {
      const { value: document } = await documents.get(kv, id);
      if (document === null) return fail("not_found");
      const prepared = await prepare(document, version, content);
      if (!prepared.ok) return prepared;
      return await commitVersion(options, prepared, async (commit) => {
        const action = { what: "document_replaced", by: version.by } as const;
        const changed = await change(options, commit, id, action, (document) => {
          // Its recipient may have refused it while the file arrived.
          if (document.erased_at !== undefined) return fail("erased", { message: ERASED });
          const { original } = prepared.version;
          if (currentVersion(document)?.original.sha256 === original.sha256) {
            return fail("conflict", { message: "This file is already the current version." });
          }
          return withVersion(document, prepared.version, version.guessable);
        });
        if (!changed.ok) return changed;
        const refused = await addToCommit?.(commit, changed.document);
        if (refused) return refused;
        const after = await emit(commit, "document.replaced", changed.document, clock());
        return { ...changed, after };
      });
    },
    async withdraw(id, reason, by, addToCommit) {
      const withdrawn = (document: DocumentRow, now: number) => {
        const current = currentVersion(document);
        if (current === null) {
          return fail("conflict", { message: "This document has already been withdrawn." });
        }
        const version: DocumentVersion = {
          ...current,
          state: "withdrawn",
          withdrawn_at: new Date(now).toISOString(),
          withdrawn_by: isIssuers(by) ? "issuer" : "registrar",
          withdrawn_reason: reason,
        };
        const versions = document.versions.map((each) => each === current ? version : each);
        return { ...document, versions };
      };
      const result = await transact<ChangeResult>(async () => {
        const commit = kv.atomic();
        const action = { what: "document_withdrawn", by } as const;
        const result = await change(options, commit, id, action, withdrawn);
        if (!result.ok) return { result };
        addWithdrawal(commit, result.document, by);
        const refused = await addToCommit?.(commit, result.document);
        if (refused) return { result: refused };
        const after = await emit(commit, "document.withdrawn", result.document, clock());
        return { result: { ...result, after }, commit };
      });
      const finished = await finish(options, result);
      // As the site, because this completes a withdrawal that is stored.
      if (finished.ok) await asSite(async () => await options.onWithdrawn?.(id));
      return finished;
    },
    edit: async (id, changes, by) =>
      await finish(
        options,
        await transact<ChangeResult>(async () => {
          const commit = kv.atomic();
          const action = { what: "document_edited", by } as const;
          const edited = (document: DocumentRow, now: number) => {
            const isSame = changes.expires_at === document.expires_at; // it may have passed
            const expires = isSame ? undefined : expiryProblem(changes.expires_at, now);
            return expires === undefined ? { ...document, ...changes } : invalidExpiry(expires);
          };
          const result = await change(options, commit, id, action, edited);
          return result.ok ? { result, commit } : { result };
        }),
      ),
  };
}

const invalidExpiry = (expires: string) =>
  fail("invalid_request", {
    message: "Some fields are missing or invalid.",
    issues: { expires_on: expires },
  });

type Change = [
  id: string,
  action: { what: Exclude<DocumentAction, "document_added">; by: string },
  apply: (document: DocumentRow, now: number) => DocumentRow | Failure,
];

/** Commits a new version together with its files, or deletes the files. */
async function commitVersion(
  options: ManageOptions,
  { files }: PreparedVersion,
  attempt: (commit: Deno.AtomicOperation) => Promise<ChangeResult>,
): Promise<DocumentResult> {
  const { kv, uploads } = options;
  try {
    const result = await transact<ChangeResult>(async () => {
      const commit = kv.atomic();
      const result = await attempt(commit);
      if (!result.ok) return { result };
      if (!await uploads.keep(commit, files)) {
        return { result: fail("conflict", { message: TOO_LONG }) };
      }
      return { result, commit };
    });
    if (!result.ok) await uploads.discard(files);
    return await finish(options, result);
  } catch (error) {
    await uploads.discard(files);
    throw error;
  }
}

/** Does what remains after the commit of a change. */
async function finish(
  { registrants }: ManageOptions,
  result: ChangeResult,
): Promise<DocumentResult> {
  if (!result.ok) return result;
  const { document, unsettled, after } = result;
  after?.();
  await registrants.settle(unsettled);
  return { ok: true, document };
}

/** Why nothing can be read from or added to a document whose files are erased. */
export const ERASED =
  "The file is erased, because nobody has accepted the document. Its hashes can still be checked.";

/** Changes a stored document. `apply` returns the changed row, or why it cannot be changed. */
async function change(
  options: ManageOptions,
  commit: Deno.AtomicOperation,
  ...[id, { what, by }, apply]: Change
): Promise<ChangeResult> {
  const { kv, clock } = options;
  const entry = await documents.get(kv, id);
  if (entry.value === null) return fail("not_found");
  const record = entry.value.record === null ? null : await readExisting(kv, entry.value.record);
  if (record === null && entry.value.record !== null) return fail("not_found"); // it is being deleted
  const now = clock();
  const document = apply(entry.value, now);
  if ("ok" in document) return document;
  if (!fits(document)) {
    return fail("too_many_versions", { message: "This document has too many versions." });
  }
  commit.check(entry, ...record === null ? [] : [record.contact]);
  let logged: DocumentRow;
  try {
    logged = await logUnlessTest(options, commit, document, entry.value);
  } catch (error) {
    if (!(error instanceof ChainBehindLogError)) throw error;
    // If another process has made and logged this statement since the document was read, the commit fails,
    // and the next attempt reads everything again.
    const { versionstamp } = await documents.get(kv, id);
    if (versionstamp === entry.versionstamp) throw error;
    logged = document;
  }
  const unsettled = saveDocument(commit, logged, { before: entry.value, now });
  log(commit, logged, { what, by }, now);
  return { ok: true, document: logged, unsettled };
}

/** Adds the new statements about a document to the public log, which contains no tests. */
const logUnlessTest = (
  { publicLog }: ManageOptions,
  commit: Deno.AtomicOperation,
  document: DocumentRow,
  before: DocumentRow | null,
): Promise<DocumentRow> | DocumentRow =>
  document.test ? document : logDocument(publicLog, commit, document, before);

/** Returns why a document cannot be added to a record, before anything is uploaded. */
async function refusal(kv: Deno.Kv, hash: string): Promise<Failure | null> {
  const [record, ids] = await Promise.all([readRecord(kv, hash), listIds(kv, hash)]);
  if (ids.length >= MAX_DOCUMENTS) {
    return fail("conflict", {
      message: `A record has at most ${formatCount(MAX_DOCUMENTS)} documents.`,
    });
  }
  return recordProblem(record);
}

function recordProblem(record: RecordEntry | null): Failure | null {
  if (record === null) return fail("not_found");
  return record.row.replaced_by === null ? null : fail("conflict", {
    message: "A corrected record replaces this one. Add the document there.",
  });
}

function withVersion(
  document: DocumentRow,
  version: PreparedVersion["version"],
  guessable?: boolean,
): DocumentRow {
  const before = document.versions.map((each): DocumentVersion =>
    each.state === "current" ? { ...each, state: "replaced" } : each
  );
  return {
    ...document,
    guessable: guessable ?? (document.guessable || isGuessable(version.original)),
    versions: [...before, { ...version, number: before.length + 1, state: "current" }],
  };
}

/** Returns who made a change through the API, as a version stores it. */
export const byKey = (id: string): string => `key ${id}`;

/** Returns who made the documents of a file that an administrator has sent for an issuer. */
export const byBatch = (id: string): string => `batch ${id}`;

/** Returns the id of the batch in what {@linkcode byBatch} returned; null for others. */
export const batchOf = (by: string): string | null =>
  by.startsWith(byBatch("")) ? by.slice(byBatch("").length) : null;

export const isKey = (by: string): boolean => by.startsWith("key ");

/** Returns the id of the key in what {@linkcode byKey} returned. */
export const keyOf = (by: string): string => by.slice(byKey("").length);

const isIssuers = (by: string): boolean => isKey(by) || by.startsWith("batch ");

type DocumentAction =
  | "document_added"
  | "document_replaced"
  | "document_withdrawn"
  | "document_edited";

function log(
  commit: Deno.AtomicOperation,
  { id, record, organisation, versions, issuer }: DocumentRow,
  { what, by }: { what: DocumentAction; by: string },
  now: number,
): void {
  const byIssuer = isIssuers(by);
  if (record !== null) {
    const detail = [formatDocumentId(id), ...byIssuer ? [`by ${issuer.name}`] : []].join(", ");
    addAccess(commit, record, { what, reader: byIssuer ? SITE : ADMINISTRATOR, detail }, now);
  }
  if (byIssuer) return;
  const detail = what === "document_edited" ? null : `version ${versions.length}`;
  const object = { ...record === null ? {} : { record }, document: id };
  addAudit(commit, { organisation, by, action: what, object, detail }, now);
}
