import type { Failure } from "../../base/result.ts";
import { transact } from "../../platform/kv/mod.ts";
import { addAccess, readCurrentRecord, SITE } from "../records/mod.ts";
import { type AfterCommit, createEmit } from "./events.ts";
import { formatDocumentId } from "./ids.ts";
import type { ManageOptions } from "./manage.ts";
import { BY_RECIPIENT, type DocumentRow, documents, filesOf, type StoredFile } from "./store.ts";
import { removeDocument, type Unsettled } from "./registrants.ts";

/** The documents of recipients, which belong to no record until they are accepted. */
export interface WaitingDocuments {
  /** Returns the documents of a recipient, oldest first, whether or not they were accepted. */
  ofRecipient(recipient: string): Promise<DocumentRow[]>;
  /** Returns the ids of the documents of a recipient. */
  idsOfRecipient(recipient: string): Promise<string[]>;
  /**
   * Puts a waiting document into the record of its recipient, or the one that corrects it.
   *
   * @param addToCommit adds to the commit, and returns whether the document still gets there. It runs again if the
   * commit fails.
   */
  attach(
    id: string,
    record: string,
    addToCommit?: (commit: Deno.AtomicOperation) => Promise<boolean>,
  ): Promise<void>;
  /**
   * Gives a document that is in no record to another recipient.
   *
   * @param place adds the recipient to the commit. It runs again if the commit fails.
   * @returns the failure of `place`, if it has failed
   */
  giveTo(
    id: string,
    place: (
      commit: Deno.AtomicOperation,
      now: number,
    ) => Promise<{ ok: true; recipient: string } | Failure>,
  ): Promise<Failure | null>;
  /** Erases the files of a document that nobody accepts. Their hashes remain, so a copy can be checked. */
  eraseFiles(id: string, type: "document.refused" | "document.lapsed"): Promise<void>;
  /**
   * Removes a document that its recipient has not learned of, or a test.
   *
   * @param addToCommit adds to the commit that removes it, and returns `keep` to keep the document. It runs
   * again if the commit fails.
   */
  remove(
    id: string,
    addToCommit?: (
      commit: Deno.AtomicOperation,
      document: DocumentRow,
    ) => Promise<AfterCommit | "keep" | void>,
  ): Promise<void>;
}

/** The work that remains after the commit of a change. */
interface Changed {
  after?: AfterCommit;
  /** The files that belong to no document any more. */
  files?: StoredFile[];
  unsettled?: Unsettled | null;
}

export function createWaitingDocuments(
  options: Pick<ManageOptions, "kv" | "clock" | "uploads" | "onEvent" | "registrants">,
): WaitingDocuments {
  const { kv, clock, uploads, registrants } = options;
  const emit = createEmit(options);

  const change = async (
    id: string,
    apply: (
      commit: Deno.AtomicOperation,
      document: DocumentRow,
      now: number,
    ) => Promise<Changed | null>,
  ): Promise<void> => {
    const done = await transact(async () => {
      const entry = await documents.get(kv, id);
      if (entry.value === null) return { result: null };
      const commit = kv.atomic().check(entry);
      const result = await apply(commit, entry.value, clock());
      if (result?.files !== undefined) uploads.release(commit, result.files);
      return result === null ? { result } : { result, commit };
    });
    done?.after?.();
    await registrants.settle(done?.unsettled ?? null);
    if (done?.files !== undefined) await uploads.remove(done.files);
  };

  return {
    ofRecipient: async (recipient) =>
      (await documents.find(kv, BY_RECIPIENT, [recipient])).map(({ value }) => value),
    idsOfRecipient: (recipient) =>
      Array.fromAsync(kv.list({ prefix: [BY_RECIPIENT, recipient] }), ({ key }) => String(key[3])),
    attach: (id, hash, addToCommit) =>
      change(id, async (commit, document, now) => {
        if (await addToCommit?.(commit) === false) return null;
        const record = await readCurrentRecord(kv, hash);
        if (document.record !== null || record === null) return null;
        const attached = { ...document, record: record.hash };
        documents.set(commit.check(record.contact, record.entry), attached);
        const detail = `${formatDocumentId(id)}, by ${document.issuer.name}`;
        addAccess(commit, record.hash, { what: "document_added", reader: SITE, detail }, now);
        return { after: await emit(commit, "document.accepted", attached, now) };
      }),
    async giveTo(id, place) {
      let refused = null as Failure | null;
      await change(id, async (commit, document, now) => {
        if (document.record !== null) return null;
        const placed = await place(commit, now);
        if (!placed.ok) {
          refused = placed;
          return null;
        }
        documents.delete(commit, document);
        documents.set(commit, { ...document, recipient: placed.recipient });
        return {};
      });
      return refused;
    },
    eraseFiles: (id, type) =>
      change(id, async (commit, document, now) => {
        if (document.record !== null || document.erased_at !== undefined) return null;
        const erased: DocumentRow = {
          ...document,
          erased_at: new Date(now).toISOString(),
          // Issuers also write names into titles and reasons.
          title: document.kind,
          public: false,
          named: undefined,
          versions: document.versions.map(({ withdrawn_reason: _, ...version }) => ({
            ...version,
            file_name: "",
          })),
        };
        documents.delete(commit, document);
        documents.set(commit, erased);
        return { files: filesIn(document), after: await emit(commit, type, erased, now) };
      }),
    remove: (id, addToCommit) =>
      change(id, async (commit, document, now) => {
        const after = await addToCommit?.(commit, document) ?? undefined;
        if (after === "keep") return {};
        const unsettled = removeDocument(commit, document, now);
        const files = document.erased_at === undefined ? filesIn(document) : [];
        return { files, unsettled, after };
      }),
  };
}

export const filesIn = ({ versions }: DocumentRow): StoredFile[] =>
  versions.flatMap((version) => filesOf(version).map(([, file]) => file));
