/**
 * The rows of documents with their versions, and how they are found.
 *
 * @module
 */
import { serialize } from "node:v8";
import { z } from "zod";
import { LEFT_OUT_NAMES } from "../../../packages/pdf/light.ts";
import { inHours } from "../../base/time.ts";
import { defineTable, WITH_RECORD } from "../../platform/kv/mod.ts";
import { DOCUMENTS_BY_ISSUER } from "../issuers/mod.ts";
import { UPLOAD_KEPT_MS } from "./files/bytes.ts";
import { type DocumentForm, type StoredFile, storedFile } from "./files/stored_file.ts";
import { scopesOf, termsOf } from "./terms.ts";

export type { DocumentForm, StoredFile };

/** An issued copy of a PDF, with a QR code on every page. */
const issuedFile = storedFile.extend({
  /** The pages of the original, without the last page about the hash. */
  pages: z.number(),
  /** The parts that the copy leaves out on purpose. Absent if none. */
  left_out: z.array(z.enum(LEFT_OUT_NAMES)).optional(),
  /** The pages whose texts and drawings were compared with the original. Absent if all were. */
  compared: z.number().optional(),
});

/** One version of a document. Times are ISO 8601 in UTC. */
const documentVersion = z.strictObject({
  /** 1 for the first version. */
  number: z.number(),
  at: z.string(),
  /** The email address of the administrator who uploaded it, or `key` and the id of the issuer's key. */
  by: z.string(),
  /** `replaced`: a newer version exists; `withdrawn`: it was withdrawn, with a reason. */
  state: z.enum(["current", "replaced", "withdrawn"]),
  withdrawn_reason: z.string().optional(),
  withdrawn_at: z.string().optional(),
  /** The party that withdrew it. Absent in a version that was withdrawn before this was stored. */
  withdrawn_by: z.enum(["issuer", "registrar"]).optional(),
  original: storedFile,
  file_name: z.string(),
  /** Null for other file types, and for a PDF that is kept unchanged. */
  issued: issuedFile.nullable(),
  /** The pages of the original; null unless it is a PDF. */
  pages: z.number().nullable(),
});

const documentRow = z.strictObject({
  id: z.string(),
  /** The hash of the record. Null while the document waits for its recipient, and for a test. */
  record: z.string().nullable(),
  /** The id of the recipient, if its issuer made it through the API. */
  recipient: z.string().optional(),
  /** True if it was made with a key for tests. */
  test: z.literal(true).optional(),
  /** The organisation that registered it. */
  organisation: z.enum(["foundation", "commercial"]),
  /** The organisation that made it, with its name when the document was added, as on its issued copies. */
  issuer: z.strictObject({ id: z.string(), name: z.string() }),
  /** The recipient's name, as the issuer gave it for this document. Absent once it is erased. */
  named: z.string().optional(),
  /** When its files were erased, because nobody accepted it. Their hashes remain. */
  erased_at: z.string().optional(),
  /** The issuer's own name for it. Unique only if the issuer sees to it. */
  external_id: z.string().optional(),
  /** The day that it states, such as that of an examination: `2026-11-20`. */
  date: z.string().optional(),
  title: z.string(),
  /** The kind of document, in the administrator's words, such as `Certificate`. */
  kind: z.string(),
  /** True if anyone may see the title. */
  public: z.boolean(),
  /** True if the content could be guessed from its hash, so that the hash is not published. */
  guessable: z.boolean(),
  /** When the document expires. It stays stored. */
  expires_at: z.string().nullable(),
  created_at: z.string(),
  /** All versions, oldest first. */
  versions: z.array(documentVersion),
  /**
   * 64 hexadecimal digits, which everyone who may read the document gets, to open its entries in the public
   * log. Absent in a test document, which is not in the log.
   */
  log_salt: z.string().optional(),
});

export type IssuedFile = z.infer<typeof issuedFile>;
export type DocumentVersion = z.infer<typeof documentVersion>;
export type DocumentState = DocumentVersion["state"];
export type DocumentRow = z.infer<typeof documentRow>;

/** A version whose file has a certain hash. */
export interface DocumentMatch {
  document: DocumentRow;
  version: DocumentVersion;
  form: DocumentForm;
  file: StoredFile;
}

/**
 * The most documents of one record, for what its holder and administrators add. Those that issuers add have limits of
 * their own, so that nobody uses up the places of others.
 */
export const MAX_DOCUMENTS = 1_000;

/** The most versions of one document. Long names and reasons allow fewer. */
const MAX_VERSIONS = 100;

/** The longest reason of a withdrawal, in characters. */
export const MAX_REASON = 200;

/** The largest size of the row in bytes. A value may have 64 KiB; the rest is for a longer title or kind. */
const MAX_ROW = 60 * 1024;

export type DocumentMode = "live" | "test";

/** Tests are listed apart from live documents. */
export const modeOf = ({ test }: { test?: boolean }): DocumentMode => test ? "test" : "live";

/**
 * The documents that a look-up by hash finds. The two scopes of a mode are apart so that hidden documents, which
 * few people may know of, never take the place of others.
 */
export type HashScope = "live" | "hidden" | "test" | "hidden_test";

/** The scopes of a mode: that of documents whose hashes anybody may know, and that of all others. */
export const SCOPES = {
  live: ["live", "hidden"],
  test: ["test", "hidden_test"],
} as const satisfies Record<DocumentMode, readonly HashScope[]>;

export const scopeOf = (document: Pick<DocumentRow, "test" | "guessable">): HashScope =>
  SCOPES[modeOf(document)][document.guessable ? 1 : 0];

/** Lists the documents with a file by its hash, the scope, the issuer and the time of registration. */
export const BY_HASH = "documents_by_hash";
/** Lists those with a hidden hash by the hash, the record, the issuer and the time of registration. */
export const HIDDEN_BY_HASH = "documents_hidden_by_hash";
export const BY_RECIPIENT = "documents_by_recipient";
export const BY_EXTERNAL_ID = "documents_by_external_id";
/** Lists the documents with a term by the scope, the mode, the term and the time: see `terms.ts`. */
export const BY_TERM = "documents_by_term";

/** The documents, each with all its versions. */
export const documents = defineTable({
  prefix: "documents",
  value: documentRow,
  key: ["id"],
  indexes: {
    documents_by_contact: ["record", "created_at"],
    [BY_RECIPIENT]: ["recipient", "created_at"],
    [DOCUMENTS_BY_ISSUER]: {
      keysOf: (row: DocumentRow, key: Deno.KvKey) => [[
        row.issuer.id,
        modeOf(row),
        row.created_at,
        ...key,
      ]],
      value: () => null,
    },
    [BY_EXTERNAL_ID]: {
      keysOf: (row: DocumentRow, key: Deno.KvKey) =>
        row.external_id === undefined
          ? []
          : [[row.issuer.id, modeOf(row), row.external_id, row.created_at, ...key]],
      value: () => null,
    },
    [BY_TERM]: {
      keysOf: (row: DocumentRow, key: Deno.KvKey) =>
        scopesOf(row).flatMap((scope) =>
          termsOf(row).map((term) => [scope, modeOf(row), term, row.created_at, ...key])
        ),
      value: () => null,
    },
    [BY_HASH]: { keysOf: hashKeys, value: () => null },
    [HIDDEN_BY_HASH]: {
      keysOf: (row: DocumentRow, key: Deno.KvKey) =>
        row.record === null || !row.guessable ? [] : Array.from(
          hashesOf(row),
          ([sha256, { at }]) => [sha256, row.record!, row.issuer.id, at, ...key],
        ),
      value: () => null,
    },
  },
  owner: { record: "record" },
  lifetime: WITH_RECORD,
  per: "document",
  privacy: {
    section: "record",
    label: "Documents",
    text: "The documents that administrators add to your record: every version of the file, " +
      "its name and hash, its title and kind, when and by which administrator it was added, and " +
      "the reason if it was withdrawn. We keep them with the record. Our public log gets an entry for each " +
      "version and each withdrawal, which remains when the document is erased; the random value " +
      "that opens it is erased with the document. Our administrators find an issued document by " +
      "the words of its recipient’s name, which we delete with the name. Interrupted uploads are " +
      `removed within ${inHours(UPLOAD_KEPT_MS)}.`,
  },
});

const BY_RECORD = "documents_by_contact";

/** Returns the ids of a record's documents, oldest first. */
export const listIds = (kv: Deno.Kv, record: string): Promise<string[]> =>
  Array.fromAsync(kv.list({ prefix: [BY_RECORD, record] }), ({ key }) => String(key[3]));

/** Returns the documents of a record, oldest first. */
export const listDocuments = async (kv: Deno.Kv, record: string): Promise<DocumentRow[]> =>
  (await documents.find(kv, BY_RECORD, [record])).map(({ value }) => value);

/** The documents that an issuer has registered with some bytes. */
export interface OfIssuer {
  sha256: string;
  scope: HashScope;
  /** The id of the issuer. */
  issuer: string;
  /** The id of a document to leave out. */
  except?: string;
}

/**
 * Returns the documents of an issuer with a file of this hash, the newest registration first.
 *
 * @param limit the most documents that are looked at
 */
export async function findByIssuer(
  kv: Deno.Kv,
  { sha256, scope, issuer, except }: OfIssuer,
  limit: number,
): Promise<DocumentMatch[]> {
  const list = kv.list({ prefix: [BY_HASH, sha256, scope, issuer] }, { limit, reverse: true });
  const ids = await Array.fromAsync(list, ({ key }) => String(key.at(-1)));
  const others = ids.filter((id) => id !== except).map((id): [string] => [id]);
  return matchesIn(await documents.getMany(kv, others), sha256);
}

/** Returns those of some documents that have a file with this hash. */
export const matchesIn = (
  entries: readonly { value: DocumentRow }[],
  sha256: string,
): DocumentMatch[] =>
  entries.map(({ value }) => matchOf(value, sha256)).filter((match) => match !== null);

/** Returns the newest version of a document with a file of this hash; null if there is none. */
export function matchOf(document: DocumentRow, sha256: string): DocumentMatch | null {
  const version = hashesOf(document).get(sha256);
  if (version === undefined) return null;
  const [form, file] = filesOf(version).find(([, file]) => file.sha256 === sha256)!;
  return { document, version, form, file };
}

/** Returns the hashes of a document's files, each with the newest version that has it. */
function hashesOf({ versions }: DocumentRow): Map<string, DocumentVersion> {
  return new Map(
    versions.flatMap((version) => filesOf(version).map(([, { sha256 }]) => [sha256, version])),
  );
}

/** Returns the keys under which the hashes of a document are listed, without their prefix. */
export function hashKeys(row: DocumentRow, key: Deno.KvKey): Deno.KvKey[] {
  return Array.from(
    hashesOf(row),
    ([sha256, { at }]) => [sha256, scopeOf(row), row.issuer.id, at, ...key],
  );
}

export const filesOf = (
  { original, issued }: Pick<DocumentVersion, "original" | "issued">,
): [DocumentForm, StoredFile][] =>
  issued === null ? [["original", original]] : [["original", original], ["issued", issued]];

/** Returns whether a document fits into a value, even after every version has been withdrawn. */
export function fits(document: DocumentRow): boolean {
  if (document.versions.length > MAX_VERSIONS) return false;
  const versions = document.versions.map((version): DocumentVersion => ({
    ...version,
    state: "withdrawn",
    withdrawn_at: version.at,
    withdrawn_by: "registrar",
    withdrawn_reason: version.withdrawn_reason ?? "\u2014".repeat(MAX_REASON),
  }));
  return serialize({ ...document, versions }).length <= MAX_ROW;
}

/** Returns the newest version, whatever its state. */
export const latestVersion = ({ versions }: DocumentRow): DocumentVersion =>
  versions[versions.length - 1];

/** Returns the version in force; null if it was withdrawn. */
export const currentVersion = (
  { versions }: DocumentRow,
): DocumentVersion | null => versions.find(({ state }) => state === "current") ?? null;

/** Returns whether a document has no version in force, because it was withdrawn. */
export const isWithdrawn = (document: DocumentRow | null): boolean =>
  document !== null && currentVersion(document) === null;

/** Returns why and when a document ended for its readers; null if it did not. */
export function endOf(
  document: DocumentRow | null,
  now: number,
): { as: "withdrawn" | "expired"; at: string } | null {
  if (document === null) return null;
  const { withdrawn_at, at } = latestVersion(document);
  if (isWithdrawn(document)) {
    return { as: "withdrawn", at: withdrawn_at ?? at };
  }
  return isExpired(document, now) ? { as: "expired", at: document.expires_at! } : null;
}

/** Returns whether a document has expired at a time in milliseconds since 1970. */
export const isExpired = ({ expires_at }: DocumentRow, now: number): boolean =>
  expires_at !== null && now >= Date.parse(expires_at);
