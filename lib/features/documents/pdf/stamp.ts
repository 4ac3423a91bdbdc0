/**
 * The issued copy of a PDF, and the cover sheet of any other file: what `packages/pdf` draws, with our footer and
 * legal page.
 *
 * @module
 */
import {
  onePagePdf,
  type OwnPage,
  type Stamped,
  stampPdf as stamp,
  type WideFonts,
} from "../../../../packages/pdf/mod.ts";
import type { IssueDetails } from "../new_version.ts";
import { COPY_FONTS, type CopyFont } from "./fonts.ts";
import { drawLegalPage, type LegalSubject, TITLES } from "./legal.ts";
import { drawStrip } from "./strip.ts";
import { drawTestMark } from "./test_mark.ts";
import { pageAddress } from "./text.ts";

/**
 * Makes the issued copy of a PDF in this thread, without a limit on time.
 *
 * @throws {PdfError} for most PDFs that cannot be issued, and other errors for damaged ones
 */
export const stampPdf = (
  original: Uint8Array,
  details: IssueDetails,
  opened?: WideFonts,
): Promise<Stamped> =>
  stamp<CopyFont>(original, {
    footer: (drawing, { width, ...place }) =>
      drawStrip(drawing, { ...details, url: pageAddress(details, place.page), ...place }, width),
    over: details.test ? drawTestMark : undefined,
    last: ({ pages }) => ({
      ...legalPage(details, { kind: "copy", pages, size: original.length }, details.title),
      bookmark: TITLES.copy,
    }),
  }, opened);

/** The file that a cover sheet belongs to. */
interface CoveredFile {
  name?: string;
  size: number;
  /** True if it is a PDF with a digital signature. */
  signed?: boolean;
}

/**
 * Makes a printable PDF of one page for a file without an issued copy: issuer, date, hash, where to check.
 * Equal input gives equal bytes.
 */
export const coverSheet = (
  details: IssueDetails,
  file: CoveredFile,
  opened?: WideFonts,
): Promise<Uint8Array> =>
  onePagePdf(
    legalPage(details, { kind: "file", ...file }, `${TITLES.file}: ${details.title}`),
    opened,
  );

function legalPage(
  details: IssueDetails,
  subject: LegalSubject,
  title: string,
): OwnPage<CopyFont> {
  const { sha256, issuer, issuedAt, organisation, test } = details;
  return {
    sha256,
    title: test ? `TEST: ${title}` : title,
    author: issuer.name,
    at: issuedAt,
    fonts: COPY_FONTS[organisation],
    draw: (drawing, paper) => drawLegalPage(drawing, details, subject, paper),
  };
}
