import { PDFArray, PDFDict, PDFName, PDFPageLeaf, PDFRawStream, PDFRef } from "@cantoo/pdf-lib";
import { concat } from "@std/bytes/concat";
import { deflateSync } from "node:zlib";
import { Drawing, type Fonts } from "./drawing.ts";
import { type Matrix, MM, multiply, turn } from "./geometry.ts";
import type { Inflation } from "./inflation.ts";
import { linkOf } from "./links.ts";
import { type Note, noteOf } from "./notes.ts";
import { corners, entry, itemsOf } from "./objects.ts";
import { PdfError } from "./problem.ts";
import type { SourcePage } from "./source.ts";
import type { Paper } from "./legal.ts";
import { drawStrip, MIN_HEIGHT_MM, MIN_WIDTH_MM, STRIP_MM, type StripDetails } from "./strip.ts";

/** The copy of a page. */
export interface CopiedPage {
  source: SourcePage;
  ref: PDFRef;
  node: PDFPageLeaf;
  /** The matrix from the coordinates of the original's page to those of the copy. */
  matrix: Matrix;
  /** The form XObject with the content of the page; undefined if it has none. */
  content: PDFRef | undefined;
  notes: Note[];
  /** The copies of links by the references to the originals. */
  links: Map<PDFRef, PDFRef>;
}

const RESOURCES = PDFName.of("Resources");
const LINE_BREAK = new Uint8Array([0x0a]);

/**
 * Returns the copy of a page, which shows nothing yet. Its content becomes a form XObject, which ends
 * with the graphics state that it began with, as a page's content need not.
 */
export function copyPage(
  source: SourcePage,
  parent: PDFRef,
  inflation: Inflation,
): CopiedPage {
  const { dict, box, quarters, userUnit } = source;
  const { width, height } = uprightSize(source);
  if (width < MIN_WIDTH_MM * MM || height < MIN_HEIGHT_MM * MM) {
    throw new PdfError("page_too_small");
  }
  const strip = STRIP_MM * MM;
  const scale = (height - strip) / height;
  const toPoints: Matrix = [userUnit, 0, 0, userUnit, 0, 0];
  const place: Matrix = [scale, 0, 0, scale, width * (1 - scale) / 2, strip];
  const upright = multiply(place, multiply(toPoints, turn(box, quarters)));
  const matrix = multiply(fromUpright(source), upright);

  const { context } = dict;
  const node = PDFPageLeaf.withContextAndParent(context, parent);
  node.set(PDFName.of("MediaBox"), context.obj([0, 0, box.width, box.height]));
  if (quarters !== 0) node.set(PDFName.of("Rotate"), context.obj(quarters * 90));
  if (userUnit !== 1) node.set(PDFName.of("UserUnit"), context.obj(userUnit));
  const content = contentOf(source, inflation);
  const { notes, links } = addAnnotations(source, node, matrix);
  const forms = Object.fromEntries(notes.map(({ form }, i) => [`Note${i}`, form]));
  const xObjects = content === undefined ? forms : { Page: content, ...forms };
  node.set(RESOURCES, context.obj({ XObject: xObjects }));
  return { source, ref: context.register(node), node, matrix, content, notes, links };
}

function contentOf({ dict, box }: SourcePage, inflation: Inflation): PDFRef | undefined {
  const { context } = dict;
  const resources = entry(dict, "Resources", PDFDict);
  const contents = dict.get(PDFName.of("Contents"));
  if (contents === undefined) return undefined;
  const resolved = context.lookup(contents);
  const streams = (resolved instanceof PDFArray ? itemsOf(resolved) : [resolved])
    .map((stream) => {
      if (stream instanceof PDFRawStream) return stream;
      throw new PdfError("damaged");
    });
  if (streams.length === 0) return undefined;
  const form: PDFDict = context.obj({
    Type: "XObject",
    Subtype: "Form",
    BBox: corners(box),
    Resources: resources === undefined ? {} : dict.get(RESOURCES)!,
  });
  const copy = (key: string, from: PDFDict) => {
    const value = from.get(PDFName.of(key));
    if (value !== undefined) form.set(PDFName.of(key), value);
  };
  copy("Group", dict);
  const [only, ...more] = streams;
  if (more.length === 0) {
    copy("Filter", only.dict);
    copy("DecodeParms", only.dict);
    return context.register(PDFRawStream.of(form, only.contents));
  }
  // A token cannot span two streams.
  const bytes = concat(streams.flatMap((stream) => [inflation.decode(stream), LINE_BREAK]));
  form.set(PDFName.of("Filter"), PDFName.of("FlateDecode"));
  return context.register(PDFRawStream.of(form, deflateSync(bytes)));
}

/** Adds the links of a page to its copy, and returns what else is drawn above its content. */
function addAnnotations(
  source: SourcePage,
  node: PDFPageLeaf,
  matrix: Matrix,
): Pick<CopiedPage, "notes" | "links"> {
  const { context } = node;
  const notes: Note[] = [];
  const links = new Map<PDFRef, PDFRef>();
  for (const item of entry(source.dict, "Annots", PDFArray)?.asArray() ?? []) {
    const annotation = context.lookup(item);
    if (!(annotation instanceof PDFDict)) continue;
    const original = item instanceof PDFRef ? item : context.register(annotation);
    const link = linkOf(annotation, source, matrix);
    const note = noteOf(annotation, original);
    if (note !== undefined) notes.push(note);
    if (link === undefined) continue;
    const ref = context.register(link);
    links.set(original, ref);
    node.addAnnot(ref);
    node.set(PDFName.of("Tabs"), PDFName.of("S"));
  }
  return { notes, links };
}

/** Draws what the copy of a page shows: the original above a strip with the page's code. */
export function drawPage(
  { source, node, matrix, content, notes }: CopiedPage,
  fonts: Fonts,
  details: StripDetails,
): void {
  const drawing = new Drawing(fonts);
  drawing.within(matrix, () => {
    if (content !== undefined) drawing.add("/Page Do");
    for (const [i, { matrix, role, id }] of notes.entries()) {
      const note = () => drawing.within(matrix, () => drawing.add(`/Note${i} Do`));
      if (id === undefined) note();
      else drawing.marked(`/${role} <</MCID ${id}>>`, note);
    }
  });
  drawing.within(fromUpright(source), () =>
    drawing.artifact(
      () => drawStrip(drawing, details, uprightSize(source).width),
      "/Type /Pagination /Subtype /Footer",
    ));
  setContent(node, fonts, drawing);
}

/** Returns the size in points of a page as a viewer shows it. */
export function uprightSize({ box, quarters, userUnit }: SourcePage): Paper {
  const [width, height] = [box.width * userUnit, box.height * userUnit];
  return quarters % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** Returns the matrix from upright points to the coordinates of a copied page. */
function fromUpright(source: SourcePage): Matrix {
  const { quarters, userUnit } = source;
  const toUnits: Matrix = [1 / userUnit, 0, 0, 1 / userUnit, 0, 0];
  return multiply(
    toUnits,
    turn({ left: 0, bottom: 0, ...uprightSize(source) }, (4 - quarters) % 4),
  );
}

/** Sets what a page shows. */
export function setContent(node: PDFPageLeaf, fonts: Fonts, drawing: Drawing): void {
  const { context } = node;
  const font = Object.fromEntries(Object.entries(fonts).map(([name, { ref }]) => [name, ref]));
  node.Resources()!.set(PDFName.of("Font"), context.obj(font));
  node.set(PDFName.of("Contents"), context.register(context.flateStream(String(drawing))));
}
