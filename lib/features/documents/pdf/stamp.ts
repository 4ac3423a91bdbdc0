import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber } from "@cantoo/pdf-lib";
import { PageContents } from "./contents.ts";
import { ContentCopier } from "./copy.ts";
import type { IssueDetails } from "../new_version.ts";
import { cm, Drawing, embedFonts, type Fonts } from "./drawing.ts";
import { fromUpright, type Matrix, MM, multiply, toUpright, uprightSize } from "./geometry.ts";
import { A4, drawLegalPage, type LegalSubject, LETTER, type Paper } from "./legal.ts";
import { PdfError } from "./problem.ts";
import { entry, readSource, type Source, type SourcePage } from "./source.ts";
import { drawStrip, MIN_HEIGHT_MM, MIN_WIDTH_MM, STRIP_MM } from "./strip.ts";

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
  const size = original.length;
  if (source.signed) return { unchanged: true, pages };
  const { pdf, fonts } = await newPdf(details);
  const copier = new ContentCopier(source.pdf.context, pdf.context);
  const contents = new PageContents(pdf.context, copier);
  for (const [i, page] of source.pages.entries()) {
    addStampedPage({ pdf, fonts, contents, page, number: i + 1, pages, details });
  }
  keepLayers(source, pdf, copier);
  const first = uprightSize(source.pages[0]);
  const paper = isLetter(first) ? LETTER : A4;
  addLegalPage(pdf, fonts, details, { kind: "copy", pages, size }, paper);
  return { bytes: await pdf.save(SAVE), pages };
}

/** Makes a PDF of one page that says what the hash of a file covers and where to check it. */
export async function legalSheet(
  details: IssueDetails,
  subject: LegalSubject,
): Promise<Uint8Array> {
  const { pdf, fonts } = await newPdf(details);
  addLegalPage(pdf, fonts, details, subject, A4);
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

interface StampedPage {
  pdf: PDFDocument;
  fonts: Fonts;
  contents: PageContents;
  page: SourcePage;
  number: number;
  pages: number;
  details: IssueDetails;
}

function addStampedPage(
  { pdf, fonts, contents, page, number, pages, details }: StampedPage,
): void {
  const { box, rotation, userUnit } = page;
  const { width, height } = uprightSize(page);
  if (width < MIN_WIDTH_MM * MM || height < MIN_HEIGHT_MM * MM) {
    throw new PdfError("page_too_small");
  }
  const strip = STRIP_MM * MM;
  const scale = (height - strip) / height;
  const drawing = new Drawing(fonts);
  const toPoints: Matrix = [userUnit, 0, 0, userUnit, 0, 0];
  const place: Matrix = [scale, 0, 0, scale, width * (1 - scale) / 2, strip];
  const content = multiply(place, multiply(toPoints, toUpright(box, rotation)));

  const xObjects = PDFDict.withContext(pdf.context);
  const operators = contents.of(page).map(({ ref, matrix }, i) => {
    xObjects.set(PDFName.of(`Part${i}`), ref);
    return `q ${cm(matrix)} /Part${i} Do Q`;
  });
  if (operators.length > 0) drawing.within(content, operators.join("\n"));
  const url = details.address(number);
  drawStrip(drawing, { ...details, url, page: number, pages }, width);

  const fromPoints: Matrix = [1 / userUnit, 0, 0, 1 / userUnit, 0, 0];
  const turn = multiply(fromUpright(box, rotation), fromPoints);
  const added = addPage(pdf, fonts, box, `q ${cm(turn)}\n${drawing}\nQ`, xObjects);
  if (rotation !== 0) added.set(PDFName.of("Rotate"), PDFNumber.of(rotation));
  if (userUnit !== 1) added.set(PDFName.of("UserUnit"), PDFNumber.of(userUnit));
}

function addLegalPage(
  pdf: PDFDocument,
  fonts: Fonts,
  details: IssueDetails,
  subject: LegalSubject,
  paper: Paper,
): void {
  const drawing = new Drawing(fonts);
  drawLegalPage(drawing, details, subject, paper);
  addPage(pdf, fonts, paper, String(drawing));
}

function addPage(
  pdf: PDFDocument,
  fonts: Fonts,
  { width, height }: Paper,
  operators: string,
  xObjects?: PDFDict,
): PDFDict {
  const { context } = pdf;
  const { node } = pdf.addPage([width, height]);
  const resources = context.obj({
    Font: Object.fromEntries(Object.entries(fonts).map(([name, { ref }]) => [name, ref])),
  });
  if (xObjects !== undefined) resources.set(PDFName.of("XObject"), xObjects);
  node.set(PDFName.of("Resources"), resources);
  node.set(PDFName.of("Contents"), context.register(context.flateStream(operators)));
  return node;
}

/** Keeps the layers' default states, so that no hidden layer becomes visible. */
function keepLayers(source: Source, pdf: PDFDocument, copier: ContentCopier): void {
  const layers = entry(source.pdf.catalog, "OCProperties", PDFDict);
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
