import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { PageContents } from "./contents.ts";
import { ContentCopier } from "./copy.ts";
import type { IssueDetails } from "../new_version.ts";
import { Drawing, embedFonts, type Fonts } from "./drawing.ts";
import { uprightSize } from "./geometry.ts";
import { A4, drawLegalPage, type LegalSubject, LETTER, type Paper } from "./legal.ts";
import { addLinks } from "./links.ts";
import { addPage, addStampedPage, type CopiedPage } from "./pages.ts";
import { entry, readSource, type Source } from "./source.ts";
import { StructureCopier } from "./structure.ts";
import { OUR_LANGUAGE, TagTree } from "./tags.ts";

/** The issued copy of a PDF. A signed PDF stays unchanged, because a change breaks its signature. */
export type Stamped =
  | { bytes: Uint8Array; pages: number; unchanged?: undefined }
  | { pages: number; unchanged: true };

/** Writes without pauses between objects, which would take longer than writing. */
const SAVE = { useObjectStreams: true, objectsPerTick: Infinity };

/**
 * Makes the issued copy of a PDF in this thread, without a limit on time.
 *
 * @throws {PdfError} for most PDFs that cannot be issued, and other errors for damaged ones
 */
export async function stampPdf(original: Uint8Array, details: IssueDetails): Promise<Stamped> {
  const source = await readSource(original);
  const pages = source.pages.length;
  if (source.signed) return { unchanged: true, pages };
  const { pdf, fonts } = await newPdf(details);
  const copier = new ContentCopier(source.context, pdf.context);
  const contents = new PageContents(pdf.context, copier, source.inflation);
  const structure = entry(source.catalog, "StructTreeRoot", PDFDict);
  const isTagged = structure !== undefined;
  const copies = source.pages.map((page, i) =>
    addStampedPage({ pdf, fonts, contents, source: page, number: i + 1, pages, details, isTagged })
  );
  keepLayers(source, pdf, copier);
  const tags = keepStructure({ source, structure, pdf, copier, copies });
  const first = uprightSize(source.pages[0]);
  const paper = isLetter(first) ? LETTER : A4;
  const subject: LegalSubject = { kind: "copy", pages, size: original.length };
  addLegalPage(pdf, fonts, details, subject, paper, tags);
  return { bytes: await pdf.save(SAVE), pages };
}

/** Makes a PDF of one page that says what the hash of a file covers and where to check it. */
export async function legalSheet(
  details: IssueDetails,
  subject: LegalSubject,
): Promise<Uint8Array> {
  const { pdf, fonts } = await newPdf(details);
  pdf.catalog.set(PDFName.of("Lang"), PDFString.of(OUR_LANGUAGE));
  addLegalPage(pdf, fonts, details, subject, A4, new TagTree(pdf.context));
  return await pdf.save(SAVE);
}

/** Creates a PDF whose dates and id depend only on the details. */
async function newPdf(
  { title, issuer, issuedAt, sha256 }: IssueDetails,
): Promise<{ pdf: PDFDocument; fonts: Fonts }> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setAuthor(issuer.name);
  pdf.setProducer("Gatehouse");
  pdf.setCreationDate(new Date(issuedAt));
  pdf.setModificationDate(new Date(issuedAt));
  pdf.context.trailerInfo.ID = pdf.context.obj([
    PDFHexString.of(sha256.slice(0, 32)),
    PDFHexString.of(sha256.slice(32)),
  ]);
  return { pdf, fonts: await embedFonts(pdf) };
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
  const page = addPage(pdf, fonts, paper, String(drawing));
  if (tags === undefined) return;
  tags.appendSection(page, drawing.tags);
  tags.write(pdf.catalog);
}

interface Structured {
  source: Source;
  /** The root of the original's structure tree; undefined if it has none. */
  structure: PDFDict | undefined;
  pdf: PDFDocument;
  copier: ContentCopier;
  copies: readonly CopiedPage[];
}

/** Keeps the language, the links and, if there are any, the tags of the original. */
function keepStructure(
  { source: { catalog, context: from }, structure, pdf, copier, copies }: Structured,
): TagTree | undefined {
  const language = catalog.get(PDFName.of("Lang"));
  if (language !== undefined) pdf.catalog.set(PDFName.of("Lang"), copier.copy(language));
  // A page may occur twice. References lead to the first one.
  const pages = new Map<PDFRef, CopiedPage>();
  for (const copy of copies.toReversed()) {
    if (copy.source.ref !== undefined) pages.set(copy.source.ref, copy);
  }
  const links = addLinks(catalog, pdf.context, copies, pages);
  if (structure === undefined) return undefined;
  const tags = new TagTree(pdf.context);
  new StructureCopier({ from, to: pdf.context, copier, tags, pages, links }).copy(structure);
  return tags;
}

/** Keeps the layers' default states, so that no hidden layer becomes visible. */
function keepLayers(source: Source, pdf: PDFDocument, copier: ContentCopier): void {
  const layers = entry(source.catalog, "OCProperties", PDFDict);
  if (layers === undefined) return;
  const copied = PDFDict.withContext(pdf.context);
  const groups = entry(layers, "OCGs", PDFArray);
  const defaults = entry(layers, "D", PDFDict);
  if (groups === undefined || defaults === undefined) return;
  copied.set(PDFName.of("OCGs"), copier.copy(groups));
  copied.set(PDFName.of("D"), copier.copy(defaults));
  pdf.catalog.set(PDFName.of("OCProperties"), copied);
}

/** Returns whether a page has the format of US Letter, upright or not. */
function isLetter({ width, height }: Paper): boolean {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return Math.abs(short - LETTER.width) < 3 && Math.abs(long - LETTER.height) < 3;
}
