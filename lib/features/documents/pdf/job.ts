import type { WideFonts } from "../../../platform/pdf/wide/embed.ts";
import type { IssueDetails } from "../new_version.ts";
import { PdfError, type PdfProblem } from "./problem.ts";
import { type Stamped, stampPdf } from "./stamp.ts";

/** `IssueDetails` without its function, which cannot be sent to a thread. */
export interface Job {
  original: SharedArrayBuffer;
  details: Omit<IssueDetails, "address">;
  /** The addresses of as many pages as a PDF can have. */
  addresses: string[];
}

export type Outcome = { ok: true; stamped: Stamped } | { ok: false; problem: PdfProblem };

/** Makes the issued copy of a PDF in this thread. */
export async function runJob(
  { original, details, addresses }: Job,
  fonts?: WideFonts,
): Promise<Outcome> {
  const address = (page: number) => addresses[page - 1];
  try {
    const stamped = await stampPdf(
      new Uint8Array(original).slice(),
      { ...details, address },
      fonts,
    );
    return { ok: true, stamped };
  } catch (error) {
    // The parser's errors for damaged files have no common class.
    return { ok: false, problem: error instanceof PdfError ? error.code : "damaged" };
  }
}
