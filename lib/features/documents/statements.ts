import { decodeHex, encodeHex } from "../../base/bytes.ts";
import { encodeBase64 } from "../../base/encoding.ts";
import { type DocumentStatement } from "../log/core.ts";
import { documentEntry, newLogSalt } from "../log/core.ts";
import { LANES, type Log, putPending } from "../log/mod.ts";
import type { MatchReport } from "./check_report.ts";
import type { DocumentMatch, DocumentRow } from "./store.ts";

/** A document with the salt of its entries in the public log. */
export type LoggedDocument = DocumentRow & { log_salt: string };

/**
 * Returns the statements about a document, in their order: one for each version, and one for each
 * withdrawal.
 */
export function statementsOf(document: LoggedDocument): DocumentStatement[] {
  const salt = decodeHex(document.log_salt);
  const statements = document.versions.flatMap((version) => {
    const about = {
      id: document.id,
      version: version.number,
      original: version.original.sha256,
      issued: version.issued?.sha256 ?? null,
      salt,
    };
    const registered = { ...about, state: "registered" as const };
    return version.state === "withdrawn"
      ? [registered, { ...about, state: "withdrawn" as const }]
      : [registered];
  });
  return statements.map((statement, i) => ({ ...statement, n: i + 1 }));
}

/**
 * Adds the new statements about a document to the commit that saves it. A document that is older than the
 * log gets its salt, and its earlier statements are added too.
 *
 * @param before the stored row; null for a new document
 * @returns the document with its salt
 */
export async function logDocument(
  log: Log,
  commit: Deno.AtomicOperation,
  document: DocumentRow,
  before: DocumentRow | null,
  now: number,
): Promise<LoggedDocument> {
  const logged = { ...document, log_salt: document.log_salt ?? encodeHex(newLogSalt()) };
  const { log_salt } = logged;
  const known = before === null ? 0 : statementsOf({ ...before, log_salt }).length;
  const entries = statementsOf(logged).map(documentEntry);
  if (document.log_salt === undefined) {
    putPending(commit, entries.slice(0, known), LANES.backfill, now);
  }
  if (entries.length > known) await log.add(commit, entries.slice(known));
  return logged;
}

/**
 * Returns what opens the entries of a version in the public log, for those who may read the document.
 *
 * @returns undefined if the document is older than the log, and a job has not added it yet
 */
export async function readLogOf(
  publicLog: Pick<Log, "indexesOf">,
  { document, version }: Pick<DocumentMatch, "document" | "version">,
): Promise<MatchReport["log"]> {
  const { log_salt } = document;
  if (log_salt === undefined) return undefined;
  const about = statementsOf({ ...document, log_salt })
    .filter((statement) => statement.version === version.number);
  const indexes = await publicLog.indexesOf(about.map(documentEntry));
  return {
    log_salt: encodeBase64(decodeHex(log_salt)),
    statements: about.map(({ n, state, original, issued }, i) => ({
      n,
      state,
      original,
      issued,
      index: indexes[i],
    })),
  };
}
