/**
 * The documents of recipients, until they are accepted, refused or removed.
 *
 * @module
 */
import { inUnit, type UnitOfWork } from "../../platform/kv/mod.ts";
import { addAccess, readCurrentRecord, SITE } from "../records/mod.ts";
import { createEmit } from "./events.ts";
import { formatDocumentId } from "./ids.ts";
import type { ManageOptions } from "./manage.ts";
import { BY_RECIPIENT, type DocumentRow, documents, filesOf, type StoredFile } from "./store.ts";
import { removeDocument } from "./registrants.ts";
import type { Uploads } from "./files/uploads.ts";

/** A document as it is stored, which a commit can check. */
export type DocumentEntry = Deno.KvEntry<DocumentRow>;

/** The changes of documents that wait, each for a unit whose other rows belong to the same commit. */
export interface WaitingWriters {
  /**
   * Puts a waiting document into the record of its recipient, or the one that corrects it.
   *
   * @returns false, and adds nothing, if it waits no more, or there is no such record
   */
  attach(unit: UnitOfWork, id: string, record: string): Promise<boolean>;
  /** Gives a document that is in no record to another recipient. */
  giveTo(unit: UnitOfWork, document: DocumentEntry, recipient: string): void;
  /** Removes a document with its files. */
  remove(unit: UnitOfWork, document: DocumentEntry): void;
}

/** The documents of recipients, which belong to no record until they are accepted. */
export interface WaitingDocuments {
  write: WaitingWriters;
  /** Returns the documents of a recipient, oldest first, whether or not they were accepted. */
  ofRecipient(recipient: string): Promise<DocumentRow[]>;
  /** Returns the ids of the documents of a recipient. */
  idsOfRecipient(recipient: string): Promise<string[]>;
  /** Reads a document for a unit that changes it; null if it does not exist. */
  readEntry(id: string): Promise<DocumentEntry | null>;
  attach(id: string, record: string): Promise<void>;
  /** Erases the files of a document that nobody accepts. Their hashes remain, so a copy can be checked. */
  eraseFiles(id: string, type: "document.refused" | "document.lapsed"): Promise<void>;
  /** Removes a test. */
  remove(id: string): Promise<void>;
}

export function createWaitingDocuments(
  options: Pick<ManageOptions, "kv" | "clock" | "onEvent" | "registrants"> & { uploads: Uploads },
): WaitingDocuments {
  const { kv, uploads, registrants } = options;
  const emit = createEmit(options);

  const readEntry = async (id: string): Promise<DocumentEntry | null> => {
    const entry = await documents.get(kv, id);
    return entry.value === null ? null : entry;
  };

  const write: WaitingWriters = {
    async attach(unit, id, hash) {
      const entry = await readEntry(id);
      const record = entry && await readCurrentRecord(kv, hash);
      if (entry === null || entry.value.record !== null || record === null) return false;
      const attached = { ...entry.value, record: record.hash };
      const { commit, now } = unit;
      documents.set(commit.check(entry, record.contact, record.entry), attached);
      const detail = `${formatDocumentId(id)}, by ${attached.issuer.name}`;
      addAccess(commit, record.hash, { what: "document_added", reader: SITE, detail }, now);
      emit(unit, "document.accepted", attached);
      return true;
    },
    giveTo({ commit }, entry, recipient) {
      documents.delete(commit.check(entry), entry.value);
      documents.set(commit, { ...entry.value, recipient });
    },
    remove(unit, entry) {
      const { value: document } = entry;
      const unsettled = removeDocument(unit.commit.check(entry), document, unit.now);
      unit.after(() => registrants.settle(unsettled));
      if (document.erased_at === undefined) uploads.release(unit, filesIn(document));
    },
  };

  return {
    write,
    readEntry,
    ofRecipient: async (recipient) =>
      (await documents.find(kv, BY_RECIPIENT, [recipient])).map(({ value }) => value),
    idsOfRecipient: (recipient) =>
      Array.fromAsync(kv.list({ prefix: [BY_RECIPIENT, recipient] }), ({ key }) => String(key[3])),
    async attach(id, hash) {
      await inUnit(options, async (unit) => ({ added: await write.attach(unit, id, hash) }));
    },
    async eraseFiles(id, type) {
      await inUnit(options, async (unit) => {
        const entry = await readEntry(id);
        if (entry === null) return {};
        const { value: document } = entry;
        if (document.record !== null || document.erased_at !== undefined) return {};
        const erased: DocumentRow = {
          ...document,
          erased_at: new Date(unit.now).toISOString(),
          // Issuers also write names into titles and reasons.
          title: document.kind,
          public: false,
          named: undefined,
          versions: document.versions.map(({ withdrawn_reason: _, ...version }) => ({
            ...version,
            file_name: "",
          })),
        };
        documents.delete(unit.commit.check(entry), document);
        documents.set(unit.commit, erased);
        uploads.release(unit, filesIn(document));
        emit(unit, type, erased);
        return {};
      });
    },
    async remove(id) {
      await inUnit(options, async (unit) => {
        const entry = await readEntry(id);
        if (entry !== null) write.remove(unit, entry);
        return {};
      });
    },
  };
}

export const filesIn = ({ versions }: DocumentRow): StoredFile[] =>
  versions.flatMap((version) => filesOf(version).map(([, file]) => file));
