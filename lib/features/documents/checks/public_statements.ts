/** The public facts about the files of a document, for the folder that is handed over. */
import type { DocumentRow } from "../store.ts";
import type { PartiesReader } from "../parties.ts";
import { type ProofReaders, readProvenLog } from "../statements.ts";
import { type MatchReport, reportMatch } from "./report.ts";

/** The facts about a file that everybody who has it may know, without the texts of its issuer. */
export type PublicStatement = Omit<
  MatchReport,
  "title" | "reason" | "url" | "first_registered_at" | "pages"
>;

/**
 * Returns the statements about the files of a document, by the SHA-256 of each file. Empty if the hashes may not be
 * confirmed to everybody, and for a test document.
 */
export async function readPublicStatements(
  options: ProofReaders & { clock: () => number; documentParties: Pick<PartiesReader, "of"> },
  document: DocumentRow,
): Promise<[sha256: string, PublicStatement][]> {
  if (document.guessable || document.log_salt === undefined) return [];
  const parties = (await options.documentParties.of([document]))(document);
  const now = options.clock();
  const statements: [string, PublicStatement][] = [];
  for (const version of document.versions) {
    const log = await readProvenLog(options, document, version);
    for (const form of ["original", "issued"] as const) {
      const file = version[form];
      if (file === null) continue;
      const {
        title: _,
        reason: _reason,
        url: _url,
        first_registered_at: _at,
        pages: _pages,
        ...known
      } = reportMatch(
        { document, version, form, file },
        { now, parties, trustUrl: (path) => path, full: false, first: version.at, log },
      );
      statements.push([file.sha256, known]);
    }
  }
  return statements;
}
