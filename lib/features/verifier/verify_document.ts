import { encodeHex } from "../../base/bytes.ts";
import type { DocumentStatement } from "../log/core.ts";
import type { LogFinding } from "./check_log.ts";
import { checkPublisherLog, isContradicted, type LogAccess } from "./publisher_log.ts";
import { type LogSentence, logSentence } from "./sentence.ts";
import { documentStatement } from "./statements.ts";

/** A file, and what the publisher states about a document. */
export interface DocumentQuestion extends LogAccess {
  /** The bytes of the file. */
  file: Uint8Array<ArrayBuffer> | ArrayBuffer;
  /** A statement about the document, as the publisher's check reports it, with the document's id. */
  statement: Omit<DocumentStatement, "salt">;
  /** When the version was registered or withdrawn, in ISO 8601. */
  at: string;
  /** The `log_proof` of the statement; undefined if there is none. */
  proof: unknown;
}

/** What was found out about a file. */
export interface DocumentResult {
  /**
   * True if the statement is about this file and the log does not contradict it. It does not say that the
   * statement is in the log, or the newest one, or that the document was not withdrawn.
   */
  ok: boolean;
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string;
  /** Which file of the version it is: the registered one, the copy with QR codes, or null for neither. */
  form: "original" | "issued" | null;
  /** Null if the statement is not about this file. */
  log: LogFinding | null;
  /** The log's finding in words. */
  sentence: LogSentence | null;
}

/**
 * Verifies a document: whether a statement of the publisher is about these bytes, and whether the public log
 * has the statement.
 */
export async function verifyDocument(
  { file, statement, at, proof, ...access }: DocumentQuestion,
): Promise<DocumentResult> {
  const sha256 = encodeHex(await crypto.subtle.digest("SHA-256", file));
  const form = statement.original === sha256
    ? "original"
    : statement.issued === sha256
    ? "issued"
    : null;
  if (form === null) return { ok: false, sha256, form, log: null, sentence: null };
  const statements = [documentStatement(statement, at)];
  const log = await checkPublisherLog(access, { statements, proof });
  return {
    ok: !isContradicted(log),
    sha256,
    form,
    log,
    sentence: logSentence(log, "document"),
  };
}
