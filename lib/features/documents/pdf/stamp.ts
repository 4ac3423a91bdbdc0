import {
  PDFArray,
  PDFCatalog,
  PDFContext,
  PDFDict,
  PDFDocument,
  PDFHeader,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFPageTree,
  PDFRawStream,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import type { IssueDetails } from "../new_version.ts";
import { Drawing, embedFonts, type Fonts } from "./drawing.ts";
import {
  A4,
  type CoveredFile,
  drawLegalPage,
  type LegalSubject,
  LETTER,
  type Paper,
} from "./legal.ts";
import { moveDestination } from "./links.ts";
import { entry, textOf } from "./objects.ts";
import { type CopiedPage, copyPage, drawPage, setContent, uprightSize } from "./pages.ts";
import { PdfError } from "./problem.ts";
import { prune } from "./prune.ts";
import { readSource } from "./source.ts";
import { StructureCopier } from "./structure.ts";
import { OUR_LANGUAGE, TagTree } from "./tags.ts";

/** The issued copy of a PDF. A signed PDF stays unchanged, because a change breaks its signature. */
export type Stamped =
  | { bytes: Uint8Array; pages: number; unchanged?: undefined }
  | { pages: number; unchanged: true };

/** The maximum that all streams have in a copy. Pages that share a content could otherwise add gigabytes. */
const MAX_TOTAL = 16 * 1024 * 1024;

/**
 * The most objects that are compressed. pdf-lib takes time by the square of their number, which is
 * seconds for the elements of a long document.
 */
const MAX_COMPRESSED = 15_000;

/** pdf-lib's class, whose constructor its types hide. */
const Pdf = PDFDocument as unknown as new (
  context: PDFContext,
  ignoreEncryption: boolean,
  updateMetadata: boolean,
) => PDFDocument;

/**
 * Makes the issued copy of a PDF in this thread, without a limit on time. The copy is a new file
 * with the objects of the original that its pages show.
 *
 * @throws {PdfError} for most PDFs that cannot be issued, and other errors for damaged ones
 */
export async function stampPdf(original: Uint8Array, details: IssueDetails): Promise<Stamped> {
  const source = await readSource(original);
  const pages = source.pages.length;
  if (source.signed) return { unchanged: true, pages };
  const { context, catalog, inflation } = source;
  const pdf = newPdf(context);
  const parent = pdf.catalog.get(PDFName.of("Pages")) as PDFRef;
  // A page may occur twice. References lead to the first one.
  const byRef = new Map<PDFRef, CopiedPage>();
  const copies = source.pages.map((page) => {
    const copy = copyPage(page, parent, inflation);
    if (page.ref !== undefined && !byRef.has(page.ref)) byRef.set(page.ref, copy);
    pdf.catalog.Pages().pushLeafNode(copy.ref);
    return copy;
  });
  const kept = new Set<PDFObject>([pdf.catalog.Pages(), ...copies.map(({ node }) => node)]);
  const tags = keepStructure(catalog, pdf, byRef, kept);
  prune(context, kept, (array) => moveDestination(array, byRef));
  checkSize(context);

  const fonts = await describe(pdf, details);
  for (const [i, copy] of copies.entries()) {
    const page = i + 1;
    drawPage(copy, fonts, { ...details, url: details.address(page), page, pages });
  }
  const paper = isLetter(uprightSize(source.pages[0])) ? LETTER : A4;
  const subject: LegalSubject = { kind: "copy", pages, size: original.length };
  addLegalPage(pdf, fonts, details, subject, paper, tags);
  return { bytes: await save(pdf), pages };
}

/**
 * Makes a printable PDF of one page for a file without an issued copy: issuer, date, hash, where to check.
 * Equal input gives equal bytes.
 */
export async function coverSheet(details: IssueDetails, file: CoveredFile): Promise<Uint8Array> {
  const pdf = newPdf(PDFContext.create());
  const fonts = await describe(pdf, details);
  pdf.catalog.set(PDFName.of("Lang"), PDFString.of(OUR_LANGUAGE));
  pdf.catalog.set(PDFName.of("MarkInfo"), pdf.context.obj({ Marked: true }));
  const subject: LegalSubject = { kind: "file", ...file };
  addLegalPage(pdf, fonts, details, subject, A4, new TagTree(pdf.context));
  return await save(pdf);
}

/** Creates a PDF without pages from objects, to which nothing refers. */
function newPdf(context: PDFContext): PDFDocument {
  const pages = context.register(PDFPageTree.withContext(context));
  const catalog = PDFCatalog.withContextAndPages(context, pages);
  context.trailerInfo = { Root: context.register(catalog) };
  context.header = PDFHeader.forVersion(1, 7);
  return new Pdf(context, false, false);
}

/** Adds the metadata and fonts. Dates and id depend only on the details. */
async function describe(
  pdf: PDFDocument,
  { title, issuer, issuedAt, sha256 }: IssueDetails,
): Promise<Fonts> {
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setAuthor(issuer.name);
  pdf.setProducer("Gatehouse");
  pdf.setCreationDate(new Date(issuedAt));
  pdf.setModificationDate(new Date(issuedAt));
  pdf.context.trailerInfo.ID = pdf.context.obj([
    PDFHexString.of(sha256.slice(0, 32)),
    PDFHexString.of(sha256.slice(32)),
  ]);
  return await embedFonts(pdf);
}

function checkSize(context: PDFContext): void {
  let total = 0;
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFRawStream) total += object.contents.length;
  }
  if (total > MAX_TOTAL) throw new PdfError("too_large");
}

function save(pdf: PDFDocument): Promise<Uint8Array> {
  return pdf.save({
    useObjectStreams: pdf.context.enumerateIndirectObjects().length <= MAX_COMPRESSED,
    objectsPerTick: Infinity, // Pauses between objects would take longer than writing.
  });
}

/** Adds the final page, and completes the structure tree if the document has one. */
function addLegalPage(
  pdf: PDFDocument,
  fonts: Fonts,
  details: IssueDetails,
  subject: LegalSubject,
  paper: Paper,
  tags: TagTree | undefined,
): void {
  const drawing = new Drawing(fonts, tags !== undefined);
  drawLegalPage(drawing, details, subject, paper);
  const page = pdf.addPage([paper.width, paper.height]);
  setContent(page.node, fonts, drawing);
  tags?.appendSection(page, drawing.tags);
  tags?.write(pdf.catalog);
}

/**
 * Keeps the language, layers, places that links lead to and, if there are any, the tags of the original.
 *
 * @param kept gets the dictionaries that belong to them, whatever their types
 */
function keepStructure(
  from: PDFDict,
  { catalog, context }: PDFDocument,
  pages: ReadonlyMap<PDFRef, CopiedPage>,
  kept: Set<PDFObject>,
): TagTree | undefined {
  const keep = (key: string, value: PDFObject | undefined) => {
    if (value !== undefined) catalog.set(PDFName.of(key), value);
  };
  if (textOf(from, "Lang")) keep("Lang", from.lookup(PDFName.of("Lang")));
  const layers = entry(from, "OCProperties", PDFDict);
  const groups = entry(layers, "OCGs", PDFArray);
  const defaults = entry(layers, "D", PDFDict);
  // No hidden layer becomes visible.
  if (groups && defaults) {
    kept.add(defaults);
    keep("OCProperties", context.obj({ OCGs: groups, D: defaults }));
  }
  const names = entry(entry(from, "Names", PDFDict), "Dests", PDFDict);
  keep("Names", names && context.obj({ Dests: names }));
  keep("Dests", entry(from, "Dests", PDFDict));
  const root = entry(from, "StructTreeRoot", PDFDict);
  if (root === undefined) return undefined;
  keep("MarkInfo", entry(from, "MarkInfo", PDFDict));
  const tags = new TagTree(context);
  for (const element of new StructureCopier(tags, root, pages).elements) kept.add(element);
  tags.write(catalog);
  return tags;
}

/** Returns whether a page has the format of US Letter, upright or not. */
function isLetter({ width, height }: Paper): boolean {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return Math.abs(short - LETTER.width) < 3 && Math.abs(long - LETTER.height) < 3;
}
