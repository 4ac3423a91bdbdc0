/**
 * Reads the file of an original: its pages, boxes and forms, or why it cannot be copied.
 *
 * @module
 */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { latin1 } from "../../../lib/base/encoding.ts";
import { findPdfHeader } from "./header.ts";
import { parseConsistently } from "./cross_references.ts";
import { type Box, intersection, type Rotation } from "../write/geometry.ts";
import { Inflation } from "./inflation.ts";
import { MAX_PAGES, PdfError } from "../problem.ts";

/** Fields of a form and nodes of the page tree. */
const MAX_NODES = 20_000;

/** The largest side of a page in units that all programs show. */
const MAX_SIDE = 14_400;

/** The largest number in a box. */
const MAX_NUMBER = 1e9;

export interface SourcePage {
  /** Undefined if the page is not an indirect object, so that nothing refers to it. */
  ref: PDFRef | undefined;
  dict: PDFDict;
  resources: PDFDict | undefined;
  /** The part of the page that viewers show. */
  box: Box;
  rotation: Rotation;
  userUnit: number;
}

export interface Source {
  context: PDFContext;
  catalog: PDFDict;
  form: PDFDict | undefined;
  inflation: Inflation;
  pages: SourcePage[];
  /** True if it contains a digital signature. */
  signed: boolean;
}

/** Returns an entry of a dictionary, resolved, if it has this type. */
export function entry<T extends PDFObject>(
  dict: PDFDict | undefined,
  key: string,
  type: { prototype: T },
): T | undefined {
  const value = dict?.lookup(PDFName.of(key));
  // The parser could not read it, so the page would lack something.
  if (value instanceof PDFInvalidObject) throw new PdfError("damaged", UNREADABLE);
  // The constructors of pdf-lib are private, which `instanceof` does not accept in a variable.
  return value instanceof (type as unknown as new () => T) ? value : undefined;
}

/** The texts of names, which a document repeats thousands of times. */
const texts = new WeakMap<PDFName, string>();

/** Returns the text of a name. */
export function textOfName(name: PDFName): string {
  let text = texts.get(name);
  if (text === undefined) texts.set(name, text = name.decodeText());
  return text;
}

/** Returns the name that an entry has, such as `Widget`. */
export function nameOf(dict: PDFDict | undefined, key: string): string | undefined {
  const name = entry(dict, key, PDFName);
  return name && textOfName(name);
}

/** Returns the number that an entry has. */
export const numberOf = (dict: PDFDict | undefined, key: string): number | undefined =>
  entry(dict, key, PDFNumber)?.asNumber();

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
  if (context.trailerInfo.Encrypt !== undefined) {
    throw new PdfError(BYTE_RANGE.test(latin1(bytes)) ? "encrypted_signed" : "encrypted");
  }
  const catalog = context.lookup(context.trailerInfo.Root);
  if (!(catalog instanceof PDFDict)) throw new PdfError("damaged");
  const pages = readPages(catalog);
  const form = entry(catalog, "AcroForm", PDFDict);
  // The form's program (XFA) draws such a PDF; its only page says that the viewer cannot. Where a form also has
  // fields on its pages, viewers show these.
  const isProgram = catalog.lookup(PDFName.of("NeedsRendering"))?.toString() === "true" ||
    form?.has(PDFName.of("XFA")) && itemsOf(entry(form, "Fields", PDFArray)).length === 0;
  if (isProgram) throw new PdfError("not_flat", "its pages are made by a program in it");
  return { context, catalog, form, inflation, pages, signed: isSigned(form) };
}

/** A part of every signature. */
const BYTE_RANGE = /\/ByteRange\s*\[/;
const UNREADABLE = "an object that it needs cannot be read";

interface Inherited {
  resources?: PDFDict;
  mediaBox?: PDFArray;
  cropBox?: PDFArray;
  rotate?: number;
}

function readPages(catalog: PDFDict): SourcePage[] {
  const root = entry(catalog, "Pages", PDFDict);
  if (root === undefined) throw new PdfError("damaged");
  if ((numberOf(root, "Count") ?? 0) > MAX_PAGES) throw new PdfError("too_many_pages");
  const pages: SourcePage[] = [];
  const seen = new Set<PDFDict>();
  const left: [PDFDict, PDFObject | undefined, Inherited][] = [[root, undefined, {}]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [dict, ref, above] = next;
    const kids = entry(dict, "Kids", PDFArray);
    // A page may occur twice, but a node that contains itself has no end.
    if (kids !== undefined && seen.has(dict) || seen.size > MAX_NODES) {
      throw new PdfError("damaged");
    }
    if (kids !== undefined && nameOf(dict, "Type") === "Page") {
      throw new PdfError("damaged", "it contains other pages", pages.length + 1);
    }
    seen.add(dict);
    if (dict.get(PDFName.of("Resources"), true) === PDFNull && above.resources !== undefined) {
      throw new PdfError(
        "damaged",
        "some programs ignore the resources above it",
        pages.length + 1,
      );
    }
    const inherited: Inherited = {
      resources: entry(dict, "Resources", PDFDict) ?? above.resources,
      mediaBox: entry(dict, "MediaBox", PDFArray) ?? above.mediaBox,
      cropBox: entry(dict, "CropBox", PDFArray) ?? above.cropBox,
      rotate: numberOf(dict, "Rotate") ?? above.rotate,
    };
    if (kids === undefined) {
      pages.push(
        readPage(dict, ref instanceof PDFRef ? ref : undefined, inherited, pages.length + 1),
      );
      if (pages.length > MAX_PAGES) throw new PdfError("too_many_pages");
      continue;
    }
    if (kids.size() + left.length > MAX_NODES) throw new PdfError("too_many_pages");
    for (let i = kids.size() - 1; i >= 0; i--) {
      const kid = kids.lookup(i);
      if (!(kid instanceof PDFDict)) throw new PdfError("damaged");
      left.push([kid, kids.get(i), inherited]);
    }
  }
  if (pages.length === 0) throw new PdfError("damaged");
  return pages;
}

function readPage(
  dict: PDFDict,
  ref: PDFRef | undefined,
  { resources, mediaBox, cropBox, rotate = 0 }: Inherited,
  number: number,
): SourcePage {
  const media = boxOf(mediaBox);
  if (media === undefined) throw new PdfError("damaged", NO_SIZE, number);
  if (rotate % 90 !== 0) {
    throw new PdfError(
      "damaged",
      `it is turned by ${rotate}°, which is no multiple of 90°`,
      number,
    );
  }
  const box = intersection(boxOf(cropBox) ?? media, media) ?? media;
  if (box.width > MAX_SIDE || box.height > MAX_SIDE) throw new PdfError("page_too_large");
  return {
    ref,
    dict,
    resources,
    box,
    rotation: ((rotate % 360 + 360) % 360) as Rotation,
    userUnit: Math.max(numberOf(dict, "UserUnit") ?? 1, 1e-3),
  };
}

const NO_SIZE = "it has no size, so some programs show it as A4, others as Letter";

/** Returns a rectangle whose corners may be in any order; undefined if it is not one. */
export function boxOf(array: PDFArray | undefined): Box | undefined {
  if (array?.size() !== 4) return undefined;
  const corners = [0, 1, 2, 3].map((i) => {
    const value = array.lookup(i);
    return value instanceof PDFNumber ? value.asNumber() : NaN;
  });
  if (!corners.every((value) => Math.abs(value) <= MAX_NUMBER)) return undefined;
  const [x1, y1, x2, y2] = corners;
  const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
  if (width === 0 || height === 0) return undefined;
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), width, height };
}

/** Returns whether a form has a field with a signature over the bytes of the file. */
function isSigned(form: PDFDict | undefined): boolean {
  const seen = new Set<PDFObject>();
  const left: PDFObject[] = [];
  const addAll = (fields: PDFArray | undefined) => {
    for (let i = 0; i < (fields?.size() ?? 0) && left.length < MAX_NODES; i++) {
      const field = fields!.lookup(i);
      if (field instanceof PDFDict && !seen.has(field)) left.push(field);
    }
  };
  addAll(entry(form, "Fields", PDFArray));
  for (let field = left.pop(); field !== undefined; field = left.pop()) {
    if (seen.has(field) || seen.size > MAX_NODES) continue;
    seen.add(field);
    const value = entry(field as PDFDict, "V", PDFDict);
    if (entry(value, "ByteRange", PDFArray) !== undefined) return true;
    addAll(entry(field as PDFDict, "Kids", PDFArray));
  }
  return false;
}

/** Returns the object that an entry refers to, without resolving it. */
export const refOf = (dict: PDFDict, key: string): PDFRef | undefined => {
  const value = dict.get(PDFName.of(key));
  return value instanceof PDFRef ? value : undefined;
};

/** Returns the items of an array, resolved. */
export const itemsOf = (array: PDFArray | undefined): (PDFObject | undefined)[] =>
  Array.from({ length: array?.size() ?? 0 }, (_, i) => {
    const item = array!.lookup(i);
    if (item instanceof PDFInvalidObject) throw new PdfError("damaged", UNREADABLE);
    return item;
  });

/** Returns the streams of a page's content. */
export function streamsOf(page: PDFDict): PDFStream[] {
  const contents = page.lookup(PDFName.of("Contents"));
  const isNone = contents === undefined ? !page.has(PDFName.of("Contents")) : contents === PDFNull;
  const streams = contents instanceof PDFArray ? itemsOf(contents) : isNone ? [] : [contents];
  return streams.map((stream) => {
    if (!(stream instanceof PDFStream)) {
      throw new PdfError("damaged", "its content is missing or cannot be read");
    }
    return stream;
  });
}

/** Returns whether an entry is a text that is not empty. */
export const hasText = (dict: PDFDict, key: string): boolean =>
  Boolean(textIn(dict.lookup(PDFName.of(key))));

/** Returns a text, undefined if the value is not one. */
export const textIn = (value: PDFObject | undefined): string | undefined =>
  value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : undefined;
