import type { IssueDetails } from "./new_version.ts";
import { legalSheet } from "./pdf/stamp.ts";

/** The file that a cover sheet belongs to. */
export interface CoveredFile {
  name?: string;
  size: number;
  /** True if it is a PDF with a digital signature. */
  signed?: boolean;
}

/**
 * Makes a printable PDF of one page for a file without an issued copy: issuer, date, hash, where to check.
 * Equal input gives equal bytes.
 */
export const coverSheet = (details: IssueDetails, file: CoveredFile): Promise<Uint8Array> =>
  legalSheet(details, { kind: "file", ...file });
