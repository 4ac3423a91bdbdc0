import type { OrganisationKey } from "../surfaces/mod.ts";

/** `replaced`: a newer version exists; `withdrawn`: an administrator took it back, with a reason. */
export type DocumentState = "current" | "replaced" | "withdrawn";

/** Stored bytes. They never change; a change is a new file. */
export interface StoredFile {
  /** The random id of the bytes. Files with equal bytes do not share them. */
  blob: string;
  /** 64 hexadecimal digits. */
  sha256: string;
  size: number;
  /** Determined from the bytes, never by the browser that uploaded them. */
  media_type: string;
}

/** An issued copy of a PDF, with a QR code on every page. */
export interface IssuedFile extends StoredFile {
  pages: number;
}

/** One version of a document. Times are ISO 8601 in UTC. */
export interface DocumentVersion {
  /** 1 for the first version. */
  number: number;
  at: string;
  /** The email address of the administrator who uploaded it. */
  by: string;
  state: DocumentState;
  withdrawn_reason?: string;
  withdrawn_at?: string;
  original: StoredFile;
  file_name: string;
  /** Null for other file types, and for a PDF that is kept unchanged. */
  issued: IssuedFile | null;
  /** The pages of the original; null unless it is a PDF. */
  pages: number | null;
}

/** The row `["documents", id]`. */
export interface DocumentRow {
  id: string;
  /** The hash of the record. */
  record: string;
  organisation: OrganisationKey;
  title: string;
  /** What it is, in the administrator's words, such as `Certificate`. */
  kind: string;
  /** Whether anyone may see the title. */
  public: boolean;
  /** Whether the content could be guessed from its hash, so that the hash is not published. */
  guessable: boolean;
  /** When the document expires. It stays stored. */
  expires_at: string | null;
  created_at: string;
  /** Oldest first. */
  versions: DocumentVersion[];
}

/** A file of a version: as it was uploaded, or as it was issued. */
export type DocumentForm = "original" | "issued";

/** A version whose file has a certain hash. */
export interface DocumentMatch {
  document: DocumentRow;
  version: DocumentVersion;
  form: DocumentForm;
}

export const documentKey = (id: string): Deno.KvKey => ["documents", id];

/** Returns the newest version, whatever its state. */
export const latestVersion = ({ versions }: Pick<DocumentRow, "versions">): DocumentVersion =>
  versions[versions.length - 1];

/** Returns the version in force; null if it was withdrawn. */
export const currentVersion = (
  { versions }: Pick<DocumentRow, "versions">,
): DocumentVersion | null => versions.find(({ state }) => state === "current") ?? null;

/** Returns whether a document has expired. */
export const isExpired = ({ expires_at }: Pick<DocumentRow, "expires_at">, now: number): boolean =>
  expires_at !== null && now >= Date.parse(expires_at);
