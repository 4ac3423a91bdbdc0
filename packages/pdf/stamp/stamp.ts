/**
 * Makes the copy of a PDF with a footer on every page and a page at its end, and PDFs of one page.
 *
 * @module
 */
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
import type { WideFile } from "../fonts/faces.ts";
import { FontSet } from "../fonts/font_set.ts";
import { PageContents } from "./contents.ts";
import { ContentCopier } from "./copy.ts";
import { PdfError } from "../problem.ts";
import { describe } from "../write/describe.ts";
import { Drawing } from "../write/drawing.ts";
import { MM, uprightSize } from "../write/geometry.ts";
import { claimsOf } from "./claims.ts";
import { keepCatalog } from "./kept.ts";
import { leftOutOf } from "./left_out.ts";
import type { LeftOut } from "./left_out_names.ts";
import { addLinks, Destinations } from "./links.ts";
import { readMetadata } from "../read/metadata.ts";
import { type Bookmark, readOutline, writeOutline } from "./outline.ts";
import {
  type CopiedPage,
  copyPage,
  drawPage,
  type PageAdditions,
  setContent,
  suffixOf,
} from "./pages.ts";
import { entry, hasText, readSource, type Source, textIn } from "../read/source.ts";
import { StructureCopier } from "./structure.ts";
import { OUR_LANGUAGE, TagTree } from "../write/tags.ts";

const A4 = { width: 210 * MM, height: 297 * MM };
/** US Letter. */
const LETTER = { width: 612, height: 792 };
export type Paper = typeof A4;

/** The description of a PDF, and a page of ours in it. `Font` are the names of its fonts. */
export interface OwnPage<Font extends string> {
  /** The SHA-256 of the original, in hexadecimal digits, from which the id of the PDF follows. */
  sha256: string;
  /** The title, the author and the time (ISO 8601) that programs show. */
  title: string;
  author: string;
  at: string;
  /** The files of each font, in the order in which a letter is looked for. */
  fonts: Readonly<Record<Font, readonly WideFile[]>>;
  /** Draws the page. */
  draw(drawing: Drawing<Font>, paper: Paper): void;
}

/** The parts of a copy that its original does not have. */
export interface Additions<Font extends string> extends PageAdditions<Font> {
  /** The page at the end, and its name among the bookmarks. */
  last(original: { pages: number }): OwnPage<Font> & { bookmark: string };
}

/** The copy of a PDF. A signed PDF stays unchanged, because a change breaks its signature. */
export type Stamped =
  | { bytes: Uint8Array; pages: number; leftOut: LeftOut[]; unchanged?: undefined }
  | { pages: number; unchanged: true };

/**
 * The most objects that are compressed. pdf-lib takes time by the square of their number, which is
 * seconds for the elements of a long document.
 */
const MAX_COMPRESSED = 15_000;

/**
 * Makes the copy of a PDF in this thread, without a limit on time.
 *
 * @throws {PdfError} for most PDFs that cannot be copied, and other errors for damaged ones
 */
export async function stampPdf<Font extends string>(
  original: Uint8Array,
  additions: Additions<Font>,
  opened = new WideFonts(),
): Promise<Stamped> {
  const source = await readSource(original);
  const pages = source.pages.length;
  if (source.signed) return { unchanged: true, pages };
  const last = additions.last({ pages });
  const { pdf, fonts } = await newPdf(last, opened);
  const copier = new ContentCopier(source.context, pdf.context, source.inflation);
  const contents = new PageContents(pdf.context, copier, source.inflation);
  const copies = source.pages.map((page, i) => onPage(i + 1, () => copyPage(pdf, contents, page)));
  keepLayers(source, pdf, copier);
  keepCatalog(source, pdf, copier);
  const { tags, bookmarks, links } = keepStructure(source, pdf, copier, copies);
  const suffix = suffixOf(last.sha256);
  for (const [i, copy] of copies.entries()) {
    drawPage(copy, fonts, suffix, additions, { page: i + 1, pages });
  }
  const paper = isLetter(uprightSize(source.pages[0])) ? LETTER : A4;
  const page = addOwnPage(pdf, fonts, last, paper, tags);
  const target = { Dest: [page.ref, PDFName.of("Fit")] };
  const bookmark: Bookmark = { title: last.bookmark, target, children: [] };
  if (!isOurs(textIn(pdf.catalog.lookup(PDFName.of("Lang"))))) bookmark.language = OUR_LANGUAGE;
  writeOutline(pdf.context, pdf.catalog, [...bookmarks, bookmark]);
  fonts.write();
  const metadata = readMetadata(source);
  const claims = claimsOf(metadata, pdf);
  describe(pdf, { title: last.title, author: last.author, at: last.at, claims });
  return { bytes: await save(pdf), pages, leftOut: leftOutOf(source, metadata, copies, links) };
}

/** Makes a printable PDF of one page. Equal input gives equal bytes. */
export async function onePagePdf<Font extends string>(
  page: OwnPage<Font>,
  opened = new WideFonts(),
): Promise<Uint8Array> {
  const { pdf, fonts } = await newPdf(page, opened);
  pdf.catalog.set(PDFName.of("Lang"), PDFString.of(OUR_LANGUAGE));
  pdf.catalog.set(PDFName.of("MarkInfo"), pdf.context.obj({ Marked: true }));
  addOwnPage(pdf, fonts, page, A4, new TagTree(pdf.context));
  fonts.write();
  const claims = { accessible: true, archivable: true };
  describe(pdf, { title: page.title, author: page.author, at: page.at, claims });
  return await save(pdf);
}

/** Creates a PDF whose id depends only on the original, with the fonts of what is added. */
async function newPdf<Font extends string>(
  { sha256, fonts }: OwnPage<Font>,
  opened: WideFonts,
): Promise<{ pdf: PDFDocument; fonts: FontSet<Font> }> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.context.trailerInfo.ID = pdf.context.obj([
    PDFHexString.of(sha256.slice(0, 32)),
    PDFHexString.of(sha256.slice(32)),
  ]);
  return { pdf, fonts: new FontSet(pdf.context, opened, fonts, { suffix: suffixOf(sha256) }) };
}

function save(pdf: PDFDocument): Promise<Uint8Array> {
  return pdf.save({
    useObjectStreams: pdf.context.largestObjectNumber <= MAX_COMPRESSED,
    objectsPerTick: Infinity, // Pauses between objects would take longer than writing.
  });
}

/** Adds a page of ours, and completes the structure tree if the document has one. */
function addOwnPage<Font extends string>(
  pdf: PDFDocument,
  fonts: FontSet<Font>,
  { draw }: OwnPage<Font>,
  paper: Paper,
  tags: TagTree | undefined,
): PDFPage {
  const drawing = new Drawing<Font>(fonts, tags && 0);
  draw(drawing, paper);
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
