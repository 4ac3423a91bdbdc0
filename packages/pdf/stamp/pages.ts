/**
 * Copies pages, each made smaller for a footer.
 *
 * @module
 */
import {
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFPage,
  type PDFRef,
} from "@cantoo/pdf-lib";
import type { PageContent, PageContents } from "./contents.ts";
import type { FontSet } from "../fonts/font_set.ts";
import { Drawing } from "../write/drawing.ts";
import {
  type Box,
  fromUpright,
  type Matrix,
  MM,
  multiply,
  toUpright,
  uprightSize,
} from "../write/geometry.ts";
import { PdfError } from "../problem.ts";
import type { SourcePage } from "../read/source.ts";

/** The height of the footer on every page. */
export const FOOTER_MM = 28;

/** The smallest page: its content keeps two thirds of the height, and the footer has room for an address. */
const MIN_WIDTH_MM = 100;
const MIN_HEIGHT_MM = 84;

/** The parts that are added to every page of a copy. */
export interface PageAdditions<Font extends string> {
  /** Draws the footer at the bottom of a page of this width. */
  footer(drawing: Drawing<Font>, place: { page: number; pages: number; width: number }): void;
  /** Draws over the content of a page, which is in this box. */
  over?(drawing: Drawing<Font>, content: Box): void;
}

/** A page of the original and its copy. */
export interface CopiedPage extends PageContent {
  source: SourcePage;
  page: PDFPage;
  /** From the coordinates of the original's page to those of the copy. */
  matrix: Matrix;
  /** The id of the first note in the structure tree; undefined if there is none. */
  firstNote?: number;
}

/** Adds an empty page for the copy of a page, and copies what it shows. */
export function copyPage(pdf: PDFDocument, contents: PageContents, source: SourcePage): CopiedPage {
  const { box, rotation, userUnit } = source;
  const { width, height } = uprightSize(source);
  if (width < MIN_WIDTH_MM * MM || height < MIN_HEIGHT_MM * MM) {
    throw new PdfError("page_too_small");
  }
  const strip = FOOTER_MM * MM;
  const scale = (height - strip) / height;
  const toPoints: Matrix = [userUnit, 0, 0, userUnit, 0, 0];
  const place: Matrix = [scale, 0, 0, scale, width * (1 - scale) / 2, strip];
  const upright = multiply(place, multiply(toPoints, toUpright(box, rotation)));
  const page = pdf.addPage([box.width, box.height]);
  if (rotation !== 0) page.node.set(PDFName.of("Rotate"), PDFNumber.of(rotation));
  if (userUnit !== 1) page.node.set(PDFName.of("UserUnit"), PDFNumber.of(userUnit));
  const matrix = multiply(fromFooter(source), upright);
  const content = contents.of(source);
  if (content.group !== undefined) page.node.set(PDFName.of("Group"), content.group);
  return { source, page, matrix, ...content };
}

/**
 * Draws the copy of a page above its footer.
 *
 * @param suffix see {@link suffixOf}
 */
export function drawPage<Font extends string>(
  { source, page, matrix, content, defaults, notes, firstNote }: CopiedPage,
  fonts: FontSet<Font>,
  suffix: string,
  { footer, over }: PageAdditions<Font>,
  place: { page: number; pages: number },
): void {
  const drawing = new Drawing<Font>(fonts, firstNote, suffix);
  const { width, height } = uprightSize(source);
  const xObjects = PDFDict.withContext(page.doc.context);
  const layers = PDFDict.withContext(page.doc.context);
  const draw = (name: string, ref: PDFRef) => {
    xObjects.set(PDFName.of(name), ref);
    // In some viewers, content that ends more graphics states than it began would end ours.
    drawing.add(`q q q /${name} Do Q Q Q`);
  };
  const placed = (draw: () => void) =>
    drawing.within(matrix, () => {
      drawing.clip(source.box); // a note could cover the strip
      draw();
    });
  // First, so that nothing that the content does can hide the footer. Its clip keeps it from covering it.
  drawing.within(fromFooter(source), () =>
    drawing.artifact(
      () => footer(drawing, { ...place, width }),
      "/Type /Pagination /Subtype /Footer",
    ));
  if (content !== undefined) placed(() => draw(`Page${suffix}`, content));
  for (const [i, { ref, matrix, tag, layer }] of notes.entries()) {
    const shown = () => placed(() => drawing.within(matrix, () => draw(`Note${i}${suffix}`, ref)));
    const note = layer === undefined ? shown : () => drawing.layer(`Layer${i}${suffix}`, shown);
    if (layer !== undefined) layers.set(PDFName.of(`Layer${i}${suffix}`), layer);
    if (firstNote === undefined) note();
    else drawing.tagged(tag, note);
  }
  if (over !== undefined) {
    const bottom = FOOTER_MM * MM;
    const box = { left: 0, bottom, width, height: height - bottom };
    drawing.within(fromFooter(source), () => over(drawing, box));
  }
  const spaces = PDFDict.withContext(page.doc.context);
  for (const [name, space] of defaults) spaces.set(PDFName.of(name), space);
  setContent(page, drawing, { XObject: xObjects, Properties: layers, ColorSpace: spaces });
}

/**
 * Returns what the names in the resources of a copied page end with. Viewers look names up there that the
 * content does not define, so no content may know them. None can contain its own hash.
 */
export const suffixOf = (sha256: string): string => `-${sha256.slice(0, 16)}`;

/** Returns the matrix from upright points to the coordinates of a copied page. */
const fromFooter = ({ box, rotation, userUnit }: SourcePage): Matrix =>
  multiply(fromUpright(box, rotation), [1 / userUnit, 0, 0, 1 / userUnit, 0, 0]);

/** Sets what a page shows. */
export function setContent<Font extends string>(
  { node, doc: { context } }: PDFPage,
  drawing: Drawing<Font>,
  more: Record<string, PDFDict> = {},
): void {
  const resources = context.obj({ Font: drawing.fonts.ref });
  if (drawing.hasFaint) {
    resources.set(PDFName.of("ExtGState"), context.obj({ [drawing.faintName]: { ca: 0.3 } }));
  }
  for (const [key, dict] of Object.entries(more)) {
    if (key === "XObject" || dict.keys().length > 0) resources.set(PDFName.of(key), dict);
  }
  node.set(PDFName.of("Resources"), resources);
  node.set(PDFName.of("Contents"), context.register(context.flateStream(String(drawing))));
}
