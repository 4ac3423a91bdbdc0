/**
 * Documents of records (design, section 12): files with versions and states, which administrators
 * add to a record.
 *
 * @module
 */
import type { Failure } from "../result.ts";
import type { DocumentMatch, DocumentRow, StoredFile } from "./store.ts";

export * from "./ids.ts";
export * from "./store.ts";

/** Who uploaded a file, and what it is. */
export interface NewVersion {
  /** As the browser sent it; the stored name is sanitised. */
  file_name: string;
  /** The administrator's email address. */
  by: string;
}

export interface NewDocument extends NewVersion {
  /** The hash of the record. */
  record: string;
  title: string;
  kind: string;
  public: boolean;
  /** Default: true unless the file is a PDF of 2 KB or more. */
  guessable?: boolean;
  expires_at?: string | null;
}

/** What an administrator can change about a document without a new version. */
export type DocumentChanges = Partial<
  Pick<DocumentRow, "title" | "kind" | "public" | "guessable" | "expires_at">
>;

export type DocumentResult<Code extends string = string> =
  | { ok: true; document: DocumentRow }
  | Failure<Code>;

/** A part of a file: from the byte `from` up to, but without, the byte `to`. */
export interface ByteRange {
  from: number;
  to: number;
}

/** Every method rejects with `KvBusyError` while the store is too busy. */
export interface Documents {
  /** Stores a document with its first version. If it fails, nothing is stored. */
  add(document: NewDocument, body: ReadableStream<Uint8Array>): Promise<DocumentResult>;
  /** Adds a version, which replaces the current one. */
  addVersion(
    id: string,
    version: NewVersion,
    body: ReadableStream<Uint8Array>,
  ): Promise<DocumentResult>;
  /** Withdraws the current version. */
  withdraw(id: string, decision: { reason: string; by: string }): Promise<DocumentResult>;
  edit(id: string, changes: DocumentChanges): Promise<DocumentResult>;
  /** Reads a document by its id, as `parseDocumentId` returns it. */
  read(id: string): Promise<DocumentRow | null>;
  /** Returns the documents of a record, oldest first. */
  list(record: string): Promise<DocumentRow[]>;
  /** Returns the versions whose original or issued file has this hash, of all organisations. */
  findByHash(sha256: string): Promise<DocumentMatch[]>;
  /** Reads a file in constant memory. */
  open(file: StoredFile, range?: ByteRange): ReadableStream<Uint8Array>;
}

export function createDocuments(): Documents {
  const later = () => Promise.reject(new Error("Documents cannot be stored yet."));
  return {
    add: later,
    addVersion: later,
    withdraw: later,
    edit: later,
    read: () => Promise.resolve(null),
    list: () => Promise.resolve([]),
    findByHash: () => Promise.resolve([]),
    open: () => new ReadableStream(),
  };
}
