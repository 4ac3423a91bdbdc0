/** The most pages of a PDF. The size is not a sufficient limit: a small file can have many pages. */
export const MAX_PAGES = 500;

/** Why a PDF cannot be issued, with a sentence for the administrator who added it. */
export const PROBLEMS = {
  too_large: "The PDF is too large.",
  too_many_pages: `A PDF can have at most ${MAX_PAGES} pages.`,
  too_complex:
    "Processing this PDF takes too much time or memory. Print it to a new PDF, and add that one.",
  damaged: "The PDF is empty or damaged. Open it, save it again, and add the new file.",
  no_header:
    "The file's name ends in .pdf, but programs would not recognise it as a PDF, because its header is not at its beginning. Open it, save it again as a PDF, and add the new file.",
  encrypted:
    "The PDF is encrypted or restricted by a password. Remove the protection, and add it again.",
  page_too_small:
    "A page is too small for the footer. Every page must be at least 100 mm wide and 84 mm high.",
  signed_test:
    "A PDF with a digital signature cannot be a test, because a test is marked on every page, which breaks the signature. Use a PDF without one.",
  not_flat:
    "The PDF has form values or comments that some programs do not show. Print it to a new PDF, and add that one.",
} as const;

export type PdfProblem = keyof typeof PROBLEMS;

/** Thrown if a PDF cannot be issued. */
export class PdfError extends Error {
  readonly code: PdfProblem;

  constructor(code: PdfProblem) {
    super(PROBLEMS[code]);
    this.code = code;
  }
}
