/** The most pages of a PDF. The size is not a sufficient limit: a small file can have many pages. */
export const MAX_PAGES = 500;

const SAVE_AGAIN = "Open it, save it again, and add the new file.";
const PRINT = "Print it to a new PDF, and add that one.";

/** Why a PDF cannot be issued, with a sentence for the administrator who added it. */
export const PROBLEMS = {
  too_large: "The PDF is too large.",
  too_many_pages: `A PDF can have at most ${MAX_PAGES} pages.`,
  too_complex: `Processing this PDF takes too much time or memory. ${PRINT}`,
  damaged: `The PDF is empty or damaged. ${SAVE_AGAIN}`,
  no_header:
    "The file's name ends in .pdf, but programs would not recognise it as a PDF, because its header is not at its beginning. Open it, save it again as a PDF, and add the new file.",
  encrypted:
    "The PDF is encrypted or restricted by a password. Remove the protection, and add it again.",
  encrypted_signed:
    "The PDF is encrypted, and it has a digital signature, which removing the protection would break. Ask its signer for a signed file without protection.",
  page_too_small:
    "A page is too small for the footer. Every page must be at least 100 mm wide and 84 mm high.",
  page_too_large:
    "A page is larger than 14,400 units, about 5 metres. Some programs cannot show it. Make the page smaller, and add the new file.",
  not_flat: `The PDF has form values or comments that some programs do not show. ${PRINT}`,
} as const;

export type PdfProblem = keyof typeof PROBLEMS;

/** Advice for problems that say what is wrong in the file. */
const ADVICE = { damaged: SAVE_AGAIN, not_flat: PRINT };

/** Thrown if a PDF cannot be issued. */
export class PdfError extends Error {
  readonly code: PdfProblem;
  readonly #what: string | undefined;

  constructor(code: Exclude<PdfProblem, keyof typeof ADVICE>);
  /** @param what what is wrong, such as `a field has no appearance` */
  constructor(code: keyof typeof ADVICE, what?: string, page?: number);
  constructor(code: PdfProblem, what?: string, page?: number) {
    super(
      what === undefined
        ? PROBLEMS[code]
        : `${page === undefined ? "The PDF" : `Page ${page}`}: ${what}. ${
          ADVICE[code as keyof typeof ADVICE]
        }`,
    );
    this.code = code;
    this.#what = what;
  }

  /** Returns the same error with the page that it is about. */
  onPage(page: number): PdfError {
    return this.#what === undefined
      ? this
      : new PdfError(this.code as keyof typeof ADVICE, this.#what, page);
  }
}
