/**
 * The statements about documents in the public log, and what opens their entries.
 *
 * @module
 */
import { z } from "zod";
import { decodeHex, encodeHex } from "../../base/bytes.ts";
import { encodeBase64 } from "../../base/encoding.ts";
import { documentEntry, type DocumentStatement, newLogSalt } from "../../../packages/proof/mod.ts";
import { ChainBehindLogError, firstPublished, type Log, type LogProofs } from "../log/mod.ts";
import type { DocumentRow, DocumentVersion } from "./store.ts";

/** The salt and the statements that open the entries of a version in the public log. */
export const versionLogSchema = z.object({
  id: z.string().describe("The canonical number of the document."),
  log_salt: z.string().describe(
    "32 bytes in base64, with which the document's entries are opened.",
  ),
  statements: z.array(z.object({
    n: z.int().min(1).describe("The number of the statement about the document."),
    at: z.iso.datetime().describe("When it was made."),
    state: z.enum(["registered", "withdrawn"]),
    original: z.string().describe("SHA-256 of the original."),
    issued: z.string().nullable().describe("SHA-256 of the issued copy, if there is one."),
    index: z.int().nullable().describe("The place in the log; null until it has the entry."),
    log_proof: z.string().optional().describe(
      "The proof (C2SP tlog-proof) that the log has the statement. Absent until it is published.",
    ),
  })).describe("What the public log says about this version."),
});
export type VersionLog = z.infer<typeof versionLogSchema>;

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
 * Adds the new statements about a document to the commit that saves it. A new document gets its salt.
 *
 * @throws {ChainBehindLogError} (rejects) if the log has one of the statements already, or the salt was lost
 *
 * @param before the stored row; null for a new document
 * @returns the document with its salt
 */
export async function logDocument(
  log: Log,
  commit: Deno.AtomicOperation,
  document: DocumentRow,
  before: DocumentRow | null,
): Promise<LoggedDocument> {
  const logged = { ...document, log_salt: document.log_salt ?? encodeHex(newLogSalt()) };
  const { log_salt } = logged;
  const known = before === null ? 0 : statementsOf({ ...before, log_salt }).length;
  // Its salt was lost, and another one would not open its earlier entries.
  if (document.log_salt === undefined && known > 0) throw new ChainBehindLogError();
  const entries = statementsOf(logged).map(documentEntry);
  if (entries.length > known) await log.add(commit, entries.slice(known));
  return logged;
}

/** The parts of the log that prove statements. */
export interface ProofReaders {
  publicLog: Pick<Log, "indexesOf">;
  logProofs: Pick<LogProofs, "ofEntries">;
}

/**
 * Like {@link readLogs} for one version, with the proofs of its statements; undefined for a test
 * document, which is not in the log.
 */
export async function readProvenLog(
  { publicLog, logProofs }: ProofReaders,
  document: DocumentRow,
  version: DocumentVersion,
): Promise<VersionLog | undefined> {
  const { log_salt } = document;
  if (log_salt === undefined) return undefined;
  const salt = decodeHex(log_salt);
  const entries = statementsOf({ ...document, log_salt })
    .filter((statement) => statement.version === version.number).map(documentEntry);
  const [logs, proofs] = await Promise.all([
    readLogs(publicLog, document, [version]),
    logProofs.ofEntries(entries, salt),
  ]);
  const log = logs.get(version.number)!;
  return {
    ...log,
    statements: log.statements.map((statement, i) => {
      const log_proof = proofs[i];
      return log_proof === null ? statement : { ...statement, log_proof };
    }),
  };
}

/** Where the public log has the registration of a version, and when a checkpoint had it first, ISO 8601. */
export interface Registration {
  index: number | null;
  by: string | null;
}

/** Reads where the public log has the registration of a version; nulls until it is published. */
export async function readRegistration(
  { kv, publicLog }: { kv: Deno.Kv; publicLog: Pick<Log, "indexesOf"> },
  { document, version }: { document: DocumentRow; version: DocumentVersion },
): Promise<Registration> {
  const log = (await readLogs(publicLog, document, [version])).get(version.number);
  const index = log?.statements.find(({ state }) => state === "registered")?.index ?? null;
  return { index, by: await firstPublished(kv, index) };
}

/**
 * Returns what opens the entries of a document's versions in the public log, by their numbers, for those
 * who may read the document. It is empty for a test document, which is not in the log.
 */
export async function readLogs(
  publicLog: Pick<Log, "indexesOf">,
  document: DocumentRow,
  versions: readonly DocumentVersion[] = document.versions,
): Promise<ReadonlyMap<number, VersionLog>> {
  const { id, log_salt } = document;
  if (log_salt === undefined) return new Map();
  const numbers = new Set(versions.map(({ number }) => number));
  const about = statementsOf({ ...document, log_salt })
    .filter(({ version }) => numbers.has(version));
  const indexes = await publicLog.indexesOf(about.map(documentEntry));
  const statements = about.map(({ n, version, state, original, issued }, i) => {
    const { at, withdrawn_at } = versions.find(({ number }) => number === version)!;
    const made = state === "withdrawn" ? withdrawn_at ?? at : at;
    return { version, statement: { n, at: made, state, original, issued, index: indexes[i] } };
  });
  const salt = encodeBase64(decodeHex(log_salt));
  return new Map(
    Array.from(numbers, (number) => [number, {
      id,
      log_salt: salt,
      statements: statements.filter(({ version }) => version === number)
        .map(({ statement }) => statement),
    }]),
  );
}
