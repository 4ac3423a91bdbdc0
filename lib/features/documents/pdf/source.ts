import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFObject,
  PDFRef,
} from "@cantoo/pdf-lib";
import { findPdfHeader, latin1 } from "../file_types.ts";
import { parseConsistently } from "./cross_references.ts";
import { type Box, intersection } from "./geometry.ts";
import { Inflation } from "./inflation.ts";
import { boxOf, entry, itemsOf, numberOf } from "./objects.ts";
import { MAX_PAGES, PdfError } from "./problem.ts";

const INHERITED = ["Resources", "MediaBox", "CropBox", "Rotate"];

export interface SourcePage {
  /** Undefined if the page is not an indirect object, so that nothing refers to it. */
  ref: PDFRef | undefined;
  dict: PDFDict;
  /** The part of the page that viewers show. */
  box: Box;
  /** How far viewers turn the page clockwise, in quarters. */
  quarters: number;
  userUnit: number;
}

export interface Source {
  context: PDFContext;
  catalog: PDFDict;
  inflation: Inflation;
  pages: SourcePage[];
  /** True if it contains a digital signature. */
  signed: boolean;
}

/** Reads the structure of a PDF. Page contents stay compressed. */
export async function readSource(bytes: Uint8Array): Promise<Source> {
  // A file that was cut off lacks its end, although many of its objects can be read.
  if (!latin1(bytes.subarray(-4096)).includes("%%EOF")) {
    throw new PdfError("damaged");
  }
  const start = findPdfHeader(bytes);
  // Programs that search a damaged file for its objects would find some before the header.
  if (start === -1 || /\bobj\b/.test(latin1(bytes.subarray(0, start)))) {
    throw new PdfError("damaged");
  }
  const inflation = new Inflation();
  const context = await parseConsistently(bytes, start, inflation);
  if (context.trailerInfo.Encrypt !== undefined) throw new PdfError("encrypted");
  const catalog = context.lookup(context.trailerInfo.Root);
  const root = catalog instanceof PDFDict ? entry(catalog, "Pages", PDFDict) : undefined;
  if (!(catalog instanceof PDFDict) || root === undefined) throw new PdfError("damaged");
  const pages: SourcePage[] = [];
  for (const page of readPages(root, undefined, new Set())) {
    if (pages.push(page) > MAX_PAGES) throw new PdfError("too_many_pages");
  }
  if (pages.length === 0) throw new PdfError("damaged");
  // The form's program draws such a PDF; its only page says that the viewer cannot.
  if (catalog.lookup(PDFName.of("NeedsRendering"))?.toString() === "true") {
    throw new PdfError("not_flat");
  }
  const form = entry(catalog, "AcroForm", PDFDict);
  const signed = isSigned(entry(form, "Fields", PDFArray), new Set());
  return { context, catalog, inflation, pages, signed };
}

/** Returns the pages below a node. Each gets the entries that it inherits. */
function* readPages(
  node: PDFDict,
  ref: PDFRef | undefined,
  seen: Set<PDFDict>,
): Generator<SourcePage> {
  const kids = entry(node, "Kids", PDFArray);
  if (kids === undefined) return yield readPage(node, ref);
  // A page may occur twice, but a node that contains itself has no end.
  if (seen.has(node)) throw new PdfError("damaged");
  seen.add(node);
  for (const item of kids.asArray()) {
    const kid = node.context.lookup(item);
    if (!(kid instanceof PDFDict)) throw new PdfError("damaged");
    for (const key of INHERITED.map(PDFName.of)) {
      const value = node.get(key);
      if (value !== undefined && !kid.has(key)) kid.set(key, value);
    }
    yield* readPages(kid, item instanceof PDFRef ? item : undefined, seen);
  }
}

function readPage(dict: PDFDict, ref: PDFRef | undefined): SourcePage {
  const media = boxOf(dict, "MediaBox");
  const quarters = (numberOf(dict, "Rotate") ?? 0) / 90;
  if (media === undefined || !Number.isInteger(quarters)) throw new PdfError("damaged");
  return {
    ref,
    dict,
    box: intersection(boxOf(dict, "CropBox") ?? media, media) ?? media,
    quarters: (quarters % 4 + 4) % 4,
    userUnit: Math.max(numberOf(dict, "UserUnit") ?? 1, 1e-3),
  };
}

/** Returns whether one of a form's fields has a signature over the bytes of the file. */
function isSigned(fields: PDFArray | undefined, seen: Set<PDFObject>): boolean {
  return itemsOf(fields).some((field) => {
    if (!(field instanceof PDFDict) || seen.has(field)) return false;
    seen.add(field);
    return entry(entry(field, "V", PDFDict), "ByteRange", PDFArray) !== undefined ||
      isSigned(entry(field, "Kids", PDFArray), seen);
  });
}
