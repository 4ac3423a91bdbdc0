import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { WideFonts } from "../fonts/fonts.ts";
import type { FontSet } from "../fonts/font_set.ts";
import { PageContents } from "./contents.ts";
import { ContentCopier } from "./copy.ts";
import { PdfError } from "../problem.ts";
import type { IssueDetails } from "../../../lib/features/documents/new_version.ts";
import { describe } from "../write/describe.ts";
import { Drawing } from "../write/drawing.ts";
import { uprightSize } from "../write/geometry.ts";
import type { Claims } from "../write/xmp.ts";
import { claimsOf } from "./claims.ts";
import { A4, drawLegalPage, type LegalSubject, LETTER, type Paper, TITLES } from "../../../lib/features/documents/pdf/legal.ts";
import { keepCatalog } from "./kept.ts";
import { leftOutOf } from "./left_out.ts";
import type { LeftOut } from "./left_out_names.ts";
import { addLinks, Destinations } from "./links.ts";
import { readMetadata } from "../read/metadata.ts";
import { type Bookmark, readOutline, writeOutline } from "./outline.ts";
import { type CopyFont, fontsOf } from "../../../lib/features/documents/pdf/fonts.ts";
import { type CopiedPage, copyPage, drawPage, setContent, suffixOf } from "./pages.ts";
import { entry, hasText, readSource, type Source, textIn } from "../read/source.ts";
import { StructureCopier } from "./structure.ts";
import { OUR_LANGUAGE, TagTree } from "../write/tags.ts";

/** The issued copy of a PDF. A signed PDF stays unchanged, because a change breaks its signature. */
export type Stamped =
  | { bytes: Uint8Array; pages: number; leftOut: LeftOut[]; unchanged?: undefined }
  | { pages: number; unchanged: true };

/**
 * The most objects that are compressed. pdf-lib takes time by the square of their number, which is
 * seconds for the elements of a long document.
 */
const MAX_COMPRESSED = 15_000;

/**
 * Makes the issued copy of a PDF in this thread, without a limit on time.
 *
 * @throws {PdfError} for most PDFs that cannot be issued, and other errors for damaged ones
 */
export async function stampPdf(
  original: Uint8Array,
  details: IssueDetails,
  opened = new WideFonts(),
): Promise<Stamped> {
  const source = await readSource(original);
  const pages = source.pages.length;
  // Every page of a test has to say so.
  if (source.signed) return { unchanged: true, pages };
  const { pdf, fonts } = await newPdf(details, opened);
  const copier = new ContentCopier(source.context, pdf.context, source.inflation);
  const contents = new PageContents(pdf.context, copier, source.inflation);
  const copies = source.pages.map((page, i) => onPage(i + 1, () => copyPage(pdf, contents, page)));
  keepLayers(source, pdf, copier);
  keepCatalog(source, pdf, copier);
  const { tags, bookmarks, links } = keepStructure(source, pdf, copier, copies);
  for (const [i, copy] of copies.entries()) {
    const page = i + 1;
    drawPage(copy, fonts, { ...details, url: details.address(page), page, pages });
  }
  const first = uprightSize(source.pages[0]);
  const paper = isLetter(first) ? LETTER : A4;
  const subject: LegalSubject = { kind: "copy", pages, size: original.length };
  const page = addLegalPage(pdf, fonts, details, subject, paper, tags);
  const target = { Dest: [page.ref, PDFName.of("Fit")] };
  const last: Bookmark = { title: TITLES.copy, target, children: [] };
  if (!isOurs(textIn(pdf.catalog.lookup(PDFName.of("Lang"))))) last.language = OUR_LANGUAGE;
  writeOutline(pdf.context, pdf.catalog, [...bookmarks, last]);
  fonts.write();
  const metadata = readMetadata(source);
  describeCopy(pdf, details, details.title, claimsOf(metadata, pdf));
  return { bytes: await save(pdf), pages, leftOut: leftOutOf(source, metadata, copies, links) };
}

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
export async function coverSheet(
  details: IssueDetails,
  file: CoveredFile,
  opened = new WideFonts(),
): Promise<Uint8Array> {
  const { pdf, fonts } = await newPdf(details, opened);
  pdf.catalog.set(PDFName.of("Lang"), PDFString.of(OUR_LANGUAGE));
  pdf.catalog.set(PDFName.of("MarkInfo"), pdf.context.obj({ Marked: true }));
  const subject: LegalSubject = { kind: "file", ...file };
  addLegalPage(pdf, fonts, details, subject, A4, new TagTree(pdf.context));
  fonts.write();
  const claims = { accessible: true, archivable: true };
  describeCopy(pdf, details, `${TITLES.file}: ${details.title}`, claims);
  return await save(pdf);
}

/** Creates a PDF whose id depends only on the details. */
async function newPdf(
  { organisation, sha256 }: IssueDetails,
  opened: WideFonts,
): Promise<{ pdf: PDFDocument; fonts: FontSet<CopyFont> }> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.context.trailerInfo.ID = pdf.context.obj([
    PDFHexString.of(sha256.slice(0, 32)),
    PDFHexString.of(sha256.slice(32)),
  ]);
  return { pdf, fonts: fontsOf(organisation, pdf.context, opened, suffixOf(sha256)) };
}

function describeCopy(
  pdf: PDFDocument,
  { issuer, issuedAt, test }: IssueDetails,
  title: string,
  claims: Claims,
): void {
  describe(pdf, {
    title: test ? `TEST: ${title}` : title,
    author: issuer.name,
    at: issuedAt,
    claims,
  });
}

function save(pdf: PDFDocument): Promise<Uint8Array> {
  return pdf.save({
    useObjectStreams: pdf.context.largestObjectNumber <= MAX_COMPRESSED,
    objectsPerTick: Infinity, // Pauses between objects would take longer than writing.
  });
}

/** Adds the final page, and completes the structure tree if the document has one. */
function addLegalPage(
  pdf: PDFDocument,
  fonts: FontSet<CopyFont>,
  details: IssueDetails,
  subject: LegalSubject,
  paper: Paper,
  tags: TagTree | undefined,
): PDFPage {
  const drawing = new Drawing<CopyFont>(fonts, tags && 0);
  drawLegalPage(drawing, details, subject, paper);
  const page = pdf.addPage([paper.width, paper.height]);
  setContent(page, drawing);
  if (tags !== undefined) {
    tags.appendSection(page, drawing.tags);
    tags.write(pdf.catalog);
  }
  return page;
}

/** Returns whether a language is the one of what we add, in whatever country. */
const isOurs = (language = ""): boolean => language.split("-")[0].toLowerCase() === OUR_LANGUAGE;

/** Keeps the language, the links and, if there are any, the tags and bookmarks of the original. */
function keepStructure(
  { catalog, context: from }: Source,
  pdf: PDFDocument,
  copier: ContentCopier,
  copies: readonly CopiedPage[],
): { tags: TagTree | undefined; bookmarks: Bookmark[]; links: ReadonlyMap<PDFRef, PDFRef> } {
  if (hasText(catalog, "Lang")) {
    pdf.catalog.set(PDFName.of("Lang"), catalog.lookup(PDFName.of("Lang"))!);
  }
  // A page may occur twice. References lead to the first one.
  const pages = new Map<PDFRef, CopiedPage>();
  for (const copy of copies.toReversed()) {
    if (copy.source.ref !== undefined) pages.set(copy.source.ref, copy);
  }
  const destinations = new Destinations(catalog, pdf.context, pages);
  const links = addLinks(pdf.context, copies, destinations, copier);
  const bookmarks = readOutline(catalog, destinations);
  const structure = catalog.lookup(PDFName.of("StructTreeRoot"));
  // Some programs write files whose tags only other programs see.
  if (!(structure instanceof PDFDict)) return { tags: undefined, bookmarks, links };
  const mark = entry(catalog, "MarkInfo", PDFDict);
  if (mark !== undefined) pdf.catalog.set(PDFName.of("MarkInfo"), copier.copy(mark));
  const tags = new TagTree(pdf.context);
  new StructureCopier({ from, to: pdf.context, copier, tags, copies, pages, links }).copy(
    structure,
  );
  return { tags, bookmarks, links };
}

/** Keeps the layers' default states, so that no hidden layer becomes visible. */
function keepLayers(source: Source, pdf: PDFDocument, copier: ContentCopier): void {
  const layers = entry(source.catalog, "OCProperties", PDFDict);
  if (layers === undefined) return;
  const copied = PDFDict.withContext(pdf.context);
  const groups = entry(layers, "OCGs", PDFArray);
  const defaults = entry(layers, "D", PDFDict);
  if (groups === undefined || defaults === undefined) return;
  copied.set(PDFName.of("OCGs"), copier.content(groups));
  copied.set(PDFName.of("D"), copier.content(defaults));
  const others = entry(layers, "Configs", PDFArray); // Chrome prefers those for viewing.
  if (others !== undefined) copied.set(PDFName.of("Configs"), copier.content(others));
  pdf.catalog.set(PDFName.of("OCProperties"), copied);
}

/** Adds the page to what is wrong with it. */
function onPage<Result>(page: number, copy: () => Result): Result {
  try {
    return copy();
  } catch (error) {
    throw error instanceof PdfError ? error.onPage(page) : error;
  }
}

/** Returns whether a page has the format of US Letter, upright or not. */
function isLetter({ width, height }: Paper): boolean {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return Math.abs(short - LETTER.width) < 3 && Math.abs(long - LETTER.height) < 3;
}
