/** The work of the thread that makes the issued copy of a PDF and compares it with the original. */
import {
  checkCopy,
  type CheckResult,
  PdfError,
  type PdfProblem,
  type Stamped,
  type WideFonts,
} from "../../../../packages/pdf/mod.ts";
import type { IssueDetails } from "../new_version.ts";
import { stampPdf } from "./stamp.ts";

export interface Job {
  original: SharedArrayBuffer;
  details: IssueDetails;
}

/** A copy that was checked: the texts and drawings of `compared` pages, and the streams of all. */
export type Checked = Stamped & { compared?: number };

/** The copy, or why there is none, with a sentence for the administrator. */
export type Outcome =
  | { ok: true; stamped: Checked }
  | { ok: false; problem: PdfProblem; message: string };

/** Makes the issued copy of a PDF in this thread, and checks that it shows what the original shows. */
export async function runJob(
  { original, details }: Job,
  fonts?: WideFonts,
): Promise<Outcome> {
  const bytes = new Uint8Array(original).slice();
  try {
    const stamped = await stampPdf(bytes, details, fonts);
    if (stamped.unchanged) return { ok: true, stamped };
    const compared = comparedIn(await checkCopy(bytes, stamped.bytes));
    return { ok: true, stamped: { ...stamped, compared } };
  } catch (error) {
    // The parsers' errors for damaged files have no common class.
    const { code, message } = error instanceof PdfError ? error : new PdfError("damaged");
    return { ok: false, problem: code, message };
  }
}

/** @throws {PdfError} if a page of the copy differs */
function comparedIn(checked: CheckResult): number {
  if (checked.ok) return checked.compared;
  const { page, what, isNote, isTooComplex } = checked;
  if (isTooComplex) throw new PdfError("too_complex");
  throw new PdfError(isNote ? "not_flat" : "damaged", `its copy would differ (${what})`, page);
}
