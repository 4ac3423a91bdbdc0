/**
 * The entries that the log should have about a document that a publisher reports.
 *
 * @module
 */
import type { LogQuestion } from "./check_log.ts";
import { documentStatement } from "./statements.ts";

/** The publisher's statement about a version of a document, as `GET /check` reports it. */
export interface ReportedDocument {
  version: number;
  /** In ISO 8601. */
  registered_at: string;
  log?: {
    /** The canonical id of the document. */
    id: string;
    /** The statements about this version, in their order. */
    statements: readonly {
      n: number;
      at: string;
      state: "registered" | "withdrawn";
      original: string;
      issued: string | null;
      log_proof?: string;
    }[];
  };
}

/**
 * Returns what {@link checkLog} needs to know whether the log has the last statement about a version of a
 * document. Statements about other files than the one that was checked count for nothing.
 *
 * @param sha256 the hash of the file, in hexadecimal digits, from the file itself
 * @returns also what that statement says; null if there is none
 */
export function documentInLog(
  { version, registered_at, log }: ReportedDocument,
  sha256: string,
): Pick<LogQuestion, "statements" | "proof"> & { state: "registered" | "withdrawn" | null } {
  const last = log?.statements.findLast(({ original, issued }) =>
    original === sha256 || issued === sha256
  );
  if (log === undefined || last === undefined) {
    return { statements: [{ at: registered_at, entryOf: nothing }], proof: undefined, state: null };
  }
  const { n, state, original, issued, at, log_proof } = last;
  return {
    statements: [documentStatement({ id: log.id, n, version, state, original, issued }, at)],
    proof: log_proof,
    state,
  };
}

const nothing = (): never => {
  throw new RangeError("Without a statement there is no proof to open.");
};
