/**
 * Verifies a document by the hash of its file.
 *
 * @module
 */
import { encodeHex } from "../../../lib/base/bytes.ts";
import type { LogFinding } from "./check_log.ts";
import { documentInLog, type ReportedDocument } from "./document_log.ts";
import { checkPublisherLog, isContradicted, type LogAccess } from "./publisher_log.ts";
import { type LogSentence, logSentence } from "./sentence.ts";

/** A file, and what its publisher says about it. */
export interface DocumentQuestion extends LogAccess {
  /** The bytes of the file. */
  file: Uint8Array<ArrayBuffer> | ArrayBuffer;
  /** One of the `matches` that the publisher's check reports. */
  match: ReportedDocument;
}

/** The result for a file. */
export interface DocumentResult {
  /**
   * True if the publisher has stated something about exactly this file, and the log does not contradict it. It
   * does not say that the statement is in the log: `sentence` does.
   */
  ok: boolean;
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string;
  /**
   * The content of the last statement about this file in the match; null if there is none. The log shows that the
   * publisher has made it, not that it is the newest about the document.
   */
  state: "registered" | "withdrawn" | null;
  log: LogFinding;
  /** The log's finding in words. */
  sentence: LogSentence;
}

/**
 * Verifies a document: whether the publisher has stated something about these bytes, and whether the public log
 * has the statement.
 */
export async function verifyDocument(
  { file, match, ...access }: DocumentQuestion,
): Promise<DocumentResult> {
  const sha256 = encodeHex(await crypto.subtle.digest("SHA-256", file));
  const { state, ...question } = documentInLog(match, sha256);
  const log = await checkPublisherLog(access, question);
  return {
    ok: state !== null && !isContradicted(log),
    sha256,
    state,
    log,
    sentence: logSentence(log, "document"),
  };
}
