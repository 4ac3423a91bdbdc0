import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
} from "@cantoo/pdf-lib";
import { embedFont } from "../lib/platform/pdf/fonts.ts";
import { BLANK_LENGTH, BLANK_START, COVER_FONTS } from "../lib/features/standard/mod.ts";

/**
 * Adds a blank stream to the first page, which `standardPdf` fills in with the publisher, from here to the
 * right and down. Screen readers find it after the other text of the page.
 */
export async function reservePublisher(
  pdf: PDFDocument,
  { x, y }: { x: number; y: number },
): Promise<void> {
  const { context } = pdf;
  const page = pdf.getPage(0);
  const fonts: Record<string, PDFRef> = {};
  for (const [name, file] of Object.entries(COVER_FONTS)) {
    fonts[name] = await embedFont(pdf, file);
  }
  const blank = PDFRawStream.of(
    context.obj({
      Type: "XObject",
      Subtype: "Form",
      BBox: [0, -60, 400, 20],
      Resources: { Font: fonts },
    }) as PDFDict,
    new TextEncoder().encode(BLANK_START.padEnd(BLANK_LENGTH)),
  );
  page.node.setXObject(PDFName.of("Publisher"), context.register(blank));
  const id = addTag(pdf);
  const [before, after] = [
    "q",
    `Q /Span <</MCID ${id}>> BDC q 1 0 0 1 ${x} ${y} cm /Publisher Do Q EMC`,
  ].map((operators) => context.register(context.flateStream(operators)));
  page.node.wrapContentStreams(before, after);
}

/** Adds content to the last element of the first page, which is its label, and returns the content's id. */
function addTag(pdf: PDFDocument): number {
  const { context, catalog } = pdf;
  const page = pdf.getPage(0);
  const root = catalog.lookup(PDFName.of("StructTreeRoot"), PDFDict);
  root.set(PDFName.of("RoleMap"), context.obj({ Em: "Span", Strong: "Span" })); // new in PDF 2.0
  const key = page.node.lookup(PDFName.of("StructParents"), PDFNumber).asNumber();
  const elements = find(root.lookup(PDFName.of("ParentTree"), PDFDict), key);
  if (elements === undefined) throw new Error("The first page has no tags.");
  const id = elements.size();
  const ref = elements.get(id - 1) as PDFRef;
  elements.push(ref);
  const element = context.lookup(ref, PDFDict);
  const kids = element.lookup(PDFName.of("K"));
  const content = context.obj({ Type: "MCR", Pg: page.ref, MCID: id });
  element.set(
    PDFName.of("K"),
    context.obj([...kids instanceof PDFArray ? kids.asArray() : [kids!], content]),
  );
  return id;
}

/** Returns the list that a number tree has for a key. */
function find(node: PDFDict, key: number): PDFArray | undefined {
  const pairs = node.lookupMaybe(PDFName.of("Nums"), PDFArray)?.asArray() ?? [];
  const at = pairs.findIndex((item, i) =>
    i % 2 === 0 && item instanceof PDFNumber && item.asNumber() === key
  );
  if (at !== -1) return node.context.lookup(pairs[at + 1], PDFArray);
  const kids = node.lookupMaybe(PDFName.of("Kids"), PDFArray)?.asArray() ?? [];
  for (const kid of kids) {
    const found = find(node.context.lookup(kid, PDFDict), key);
    if (found !== undefined) return found;
  }
  return undefined;
}
