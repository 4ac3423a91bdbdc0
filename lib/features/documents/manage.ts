/**
 * The changes of documents: a new one, a new version, a withdrawal and an edit.
 *
 * @module
 */
import { ChainBehindLogError, type Log } from "../log/mod.ts";
import { logDocument } from "./statements.ts";
import { addAudit } from "../audit/mod.ts";
import { inUnit, type UnitOfWork } from "../../platform/kv/mod.ts";
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
  type DraftVersion,
  isGuessable,
  type NewVersion,
  type VersionDraft,
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
import { type Registrants, saveDocument } from "./registrants.ts";
import { type AddDocumentEvent, createEmit } from "./events.ts";
import { type Issuers, issuingProblem } from "../issuers/mod.ts";
import type { NewContent } from "./files/staged_files.ts";

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

/** A new document whose files are stored. Its end deletes them, unless a unit that adds the document was committed. */
export interface DocumentDraft extends VersionDraft {
  details: Pick<DocumentRow, "id" | "organisation" | "issuer" | "title" | "kind" | "public"> & {
    expires_at: string | null;
  };
}

/** The record or the recipient to whom a new document belongs. */
export interface DocumentOwner {
  /** The hash of the record. Null if the document waits for its recipient. */
  record: string | null;
  /** The id of the recipient. */
  recipient?: string;
}

/** The properties of a document that an administrator can change without a new version. */
export type DocumentChanges = Partial<
  Pick<DocumentRow, "title" | "kind" | "public" | "guessable" | "expires_at">
>;

export type DocumentResult = { ok: true; document: DocumentRow } | Failure;

export interface ManageOptions {
  kv: Deno.Kv;
  clock: () => number;
  draftVersion: DraftVersion;
  publicLog: Log;
  issuers: Pick<Issuers, "read" | "addUse">;
  registrants: Registrants;
  /** Returns what adds to the commit of each event. */
  onEvent?: () => readonly AddDocumentEvent[];
  /** Adds to the unit that withdraws a document what ends the requests for it. */
  onWithdrawn?(unit: UnitOfWork, document: DocumentRow, by: string): void;
}

/** The changes of documents, each for a unit whose other rows belong to the same commit. */
export interface DocumentWriters {
  /** Adds a drafted document. The caller checks what its owner depends on. */
  add(unit: UnitOfWork, draft: DocumentDraft, owner: DocumentOwner): Promise<DocumentResult>;
  /** Adds a drafted version, which replaces the current one. */
  replace(unit: UnitOfWork, id: string, draft: VersionDraft): Promise<DocumentResult>;
  /**
   * Withdraws the current version.
   *
   * @param by the administrator's email address, or `key` and the id of the issuer's key
   */
  withdraw(
    unit: UnitOfWork,
    id: string,
    about: { reason: string; by: string },
  ): Promise<DocumentResult>;
}

/**
 * The changes of documents. Each is in the record's access log, and those by administrators are in the audit
 * log.
 */
export interface Management {
  write: DocumentWriters;
  /**
   * Stores the files of a new document, and says why it cannot be registered. If it fails, nothing is stored, and the
   * body may not have been read.
   */
  draft(
    document: IssuedDocument,
    content: NewContent,
  ): Promise<{ ok: true; draft: DocumentDraft } | Failure>;
  /** Stores the files of a new version of a document. */
  draftVersion(
    id: string,
    version: NewVersion,
    content: NewContent,
  ): Promise<{ ok: true; draft: VersionDraft } | Failure>;
  /** Adds a document with its first version to a record. If it fails, nothing is stored. */
  add(document: NewDocument, content: NewContent): Promise<DocumentResult>;
  /**
   * Adds a version, which replaces the current one. It may change whether the document's hashes
   * are published; by default, they are hidden if the content of its file could be guessed.
   */
  addVersion(id: string, version: NewVersion, content: NewContent): Promise<DocumentResult>;
  withdraw(id: string, reason: string, by: string): Promise<DocumentResult>;
  edit(id: string, changes: DocumentChanges, by: string): Promise<DocumentResult>;
}

export function createManagement(options: ManageOptions): Management {
  const { kv, clock, issuers } = options;
  const emit = createEmit(options);

  const write: DocumentWriters = {
    async add(unit, draft, { record, recipient }) {
      const { version, details, guessable } = draft;
      const { organisation, issuer } = details;
      const document: DocumentRow = {
        ...details,
        record,
        ...recipient !== undefined && { recipient },
        guessable: guessable ?? isGuessable(version.original),
        created_at: version.at,
        versions: [{ ...version, number: 1, state: "current" }],
      };
      // Together, so that their reads take one round trip.
      const [refused, logged] = await Promise.all([
        issuers.addUse(unit.commit, { organisation, id: issuer.id, at: version.at }),
        logUnlessTest(options, unit.commit, document, null),
      ]);
      if (refused !== null) return refused;
      save(options, unit, logged, null);
      draft.keepFiles(unit);
      log(unit, logged, { what: "document_added", by: version.by });
      emit(unit, "document.issued", logged);
      return { ok: true, document: logged };
    },
    async replace(unit, id, draft) {
      const { version, guessable } = draft;
      const action = { what: "document_replaced", by: version.by } as const;
      const changed = await change(options, unit, id, action, (document) => {
        // Its recipient may have refused it while the file arrived.
        if (document.erased_at !== undefined) return fail("erased", { message: ERASED });
        if (currentVersion(document)?.original.sha256 === version.original.sha256) {
          return fail("conflict", { message: "This file is already the current version." });
        }
        return withVersion(document, version, guessable);
      });
      if (!changed.ok) return changed;
      draft.keepFiles(unit);
      emit(unit, "document.replaced", changed.document);
      return changed;
    },
    async withdraw(unit, id, { reason, by }) {
      const action = { what: "document_withdrawn", by } as const;
      const changed = await change(options, unit, id, action, (document) => {
        const current = currentVersion(document);
        if (current === null) {
          return fail("conflict", { message: "This document has already been withdrawn." });
        }
        const version: DocumentVersion = {
          ...current,
          state: "withdrawn",
          withdrawn_at: new Date(unit.now).toISOString(),
          withdrawn_by: isIssuers(by) ? "issuer" : "registrar",
          withdrawn_reason: reason,
        };
        const versions = document.versions.map((each) => each === current ? version : each);
        return { ...document, versions };
      });
      if (!changed.ok) return changed;
      options.onWithdrawn?.(unit, changed.document, by);
      emit(unit, "document.withdrawn", changed.document);
      return changed;
    },
  };

  const draft: Management["draft"] = async (
    { issuer: from, id = newDocumentId(), expires_at = null, ...given },
    content,
  ) => {
    const { file_name, by, guessable, onlyNew, askHash, askLeftOut, ...about } = given;
    const { organisation } = about;
    const row = await issuers.read(organisation, from || organisation);
    const unable = issuingProblem(row);
    if (row === null || unable !== null) return unable!;
    const details = { ...about, id, issuer: { id: row.id, name: row.name } };
    const asked = { file_name, by, guessable, onlyNew, askHash, askLeftOut };
    const drafted = await options.draftVersion(details, asked, content);
    if (!drafted.ok) return drafted;
    return { ok: true, draft: { ...drafted.draft, details: { ...details, expires_at } } };
  };

  const draftVersion: Management["draftVersion"] = async (id, version, content) => {
    const { value: document } = await documents.get(kv, id);
    if (document === null) return fail("not_found");
    return await options.draftVersion(document, version, content);
  };

  return {
    write,
    draft,
    draftVersion,
    async add({ record: hash, ...document }, content) {
      const expires = expiryProblem(document.expires_at, clock());
      if (expires !== undefined) return invalidExpiry(expires);
      const refused = await refusal(kv, hash);
      if (refused !== null) return refused;
      const drafted = await draft(document, content);
      if (!drafted.ok) return drafted;
      await using added = drafted.draft;
      return await inUnit(options, async (unit) => {
        const record = await readRecord(kv, hash);
        const refused = recordProblem(record);
        if (refused !== null) return refused;
        unit.commit.check(record!.contact, record!.entry);
        return await write.add(unit, added, { record: hash });
      });
    },
    async addVersion(id, version, content) {
      const drafted = await draftVersion(id, version, content);
      if (!drafted.ok) return drafted;
      await using added = drafted.draft;
      return await inUnit(options, (unit) => write.replace(unit, id, added));
    },
    withdraw: (id, reason, by) =>
      inUnit(options, (unit) => write.withdraw(unit, id, { reason, by })),
    edit: (id, changes, by) =>
      inUnit(options, (unit) => {
        const action = { what: "document_edited", by } as const;
        return change(options, unit, id, action, (document) => {
          const isSame = changes.expires_at === document.expires_at; // it may have passed
          const expires = isSame ? undefined : expiryProblem(changes.expires_at, unit.now);
          return expires === undefined ? { ...document, ...changes } : invalidExpiry(expires);
        });
      }),
  };
}

const invalidExpiry = (expires: string) =>
  fail("invalid_request", {
    message: "Some fields are missing or invalid.",
    issues: { expires_on: expires },
  });

/** Adds a new or changed document to a unit. Afterwards, it can be found by its hashes. */
function save(
  { registrants }: ManageOptions,
  unit: UnitOfWork,
  document: DocumentRow,
  before: DocumentRow | null,
): void {
  const changed = before === null ? null : { before, now: unit.now };
  const unsettled = saveDocument(unit.commit, document, changed);
  unit.after(() => registrants.settle(unsettled));
}

/** Why nothing can be read from or added to a document whose files are erased. */
export const ERASED =
  "The file is erased, because nobody has accepted the document. Its hashes can still be checked.";

/** Changes a stored document. `apply` returns the changed row, or why it cannot be changed. */
async function change(
  options: ManageOptions,
  unit: UnitOfWork,
  id: string,
  action: { what: Exclude<DocumentAction, "document_added">; by: string },
  apply: (document: DocumentRow) => DocumentRow | Failure,
): Promise<DocumentResult> {
  const { kv } = options;
  const entry = await documents.get(kv, id);
  if (entry.value === null) return fail("not_found");
  const record = entry.value.record === null ? null : await readExisting(kv, entry.value.record);
  if (record === null && entry.value.record !== null) return fail("not_found"); // it is being deleted
  const document = apply(entry.value);
  if ("ok" in document) return document;
  if (!fits(document)) {
    return fail("too_many_versions", { message: "This document has too many versions." });
  }
  unit.commit.check(entry, ...record === null ? [] : [record.contact]);
  let logged: DocumentRow;
  try {
    logged = await logUnlessTest(options, unit.commit, document, entry.value);
  } catch (error) {
    if (!(error instanceof ChainBehindLogError)) throw error;
    // If another process has made and logged this statement since the document was read, the commit fails,
    // and the next attempt reads everything again.
    const { versionstamp } = await documents.get(kv, id);
    if (versionstamp === entry.versionstamp) throw error;
    logged = document;
  }
  save(options, unit, logged, entry.value);
  log(unit, logged, action);
  return { ok: true, document: logged };
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
  version: VersionDraft["version"],
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

/** Returns whether a change was made with an API key. */
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
  { commit, now }: UnitOfWork,
  { id, record, organisation, versions, issuer }: DocumentRow,
  { what, by }: { what: DocumentAction; by: string },
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
