import {
  decodePDFRawStream,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFRawStream,
  PDFRef,
  type PDFStream,
} from "@cantoo/pdf-lib";
import type { ContentCopier } from "./copy.ts";
import { type Matrix, transformBox } from "./geometry.ts";
import { PdfError } from "./problem.ts";
import {
  boxOf,
  entry,
  hasText,
  isDangling,
  nameOf,
  numberOf,
  type SourcePage,
  streamsOf,
} from "./source.ts";

/** The maximum that all pages add to a copy. Pages that share a content could otherwise add gigabytes. */
const MAX_TOTAL = 16 * 1024 * 1024;

/** Something to draw on a page: a form XObject and the matrix to draw it with. */
export interface Placed {
  ref: PDFRef;
  matrix: Matrix;
}

const AS_IT_IS: Matrix = [1, 0, 0, 1, 0, 0];

/** Flags of annotations. */
const HIDDEN = 2;
const PRINTED = 4;

/**
 * Turns the pages of a PDF into form XObjects of another one. A form ends with the graphics state that
 * it began with, which a page's content need not do. Annotations and fields that are printed become
 * part of the page; links and interactive elements are left out.
 */
export class PageContents {
  readonly #to: PDFContext;
  readonly #copier: ContentCopier;
  #total = 0;

  constructor(to: PDFContext, copier: ContentCopier) {
    this.#to = to;
    this.#copier = copier;
  }

  of(page: SourcePage): Placed[] {
    return [...this.#content(page), ...this.#annotations(page)];
  }

  #content({ dict, resources, box: { left, bottom, width, height } }: SourcePage): Placed[] {
    if (isDangling(dict, "Contents")) throw new PdfError("damaged");
    const streams = streamsOf(dict.lookup(PDFName.of("Contents")));
    if (streams.length === 0) return [];
    const form = this.#joined(streams);
    this.#total += form.contents.length;
    if (this.#total > MAX_TOTAL) throw new PdfError("too_large");
    const entries = this.#to.obj({
      Type: "XObject",
      Subtype: "Form",
      FormType: 1,
      BBox: [left, bottom, left + width, bottom + height],
    });
    for (const [key, value] of entries.entries()) form.dict.set(key, value);
    form.dict.set(
      PDFName.of("Resources"),
      resources === undefined ? this.#to.obj({}) : this.#copier.shared(resources),
    );
    const group = entry(dict, "Group", PDFDict);
    if (group !== undefined) form.dict.set(PDFName.of("Group"), this.#copier.copy(group));
    return [{ ref: this.#to.register(form), matrix: AS_IT_IS }];
  }

  /** Returns a new stream with the bytes of a page's streams. One stream stays compressed as it is. */
  #joined(streams: PDFStream[]): PDFRawStream {
    const raw = streams.map((stream) => {
      if (stream instanceof PDFRawStream) return stream;
      throw new PdfError("damaged");
    });
    if (raw.length === 1) {
      const dict = PDFDict.withContext(this.#to);
      for (const key of ["Filter", "DecodeParms"]) {
        const value = raw[0].dict.lookup(PDFName.of(key));
        if (value !== undefined) dict.set(PDFName.of(key), this.#copier.copy(value));
      }
      return PDFRawStream.of(dict, raw[0].contents);
    }
    const parts = raw.map((stream) => decodePDFRawStream(stream).decode());
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length + 1, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length + 1;
      all[at - 1] = 0x0a; // A token cannot span two streams.
    }
    return this.#to.flateStream(all);
  }

  #annotations({ dict }: SourcePage): Placed[] {
    const annotations = entry(dict, "Annots", PDFArray);
    return Array.from({ length: annotations?.size() ?? 0 }, (_, i) => annotations!.lookup(i))
      .flatMap((annotation) => annotation instanceof PDFDict ? this.#annotation(annotation) : []);
  }

  #annotation(annotation: PDFDict): Placed[] {
    const subtype = nameOf(annotation, "Subtype");
    const flags = numberOf(annotation, "F") ?? 0;
    const rect = boxOf(entry(annotation, "Rect", PDFArray));
    if (
      subtype === "Link" || subtype === "Popup" || (flags & HIDDEN) !== 0 ||
      (flags & PRINTED) === 0 || rect === undefined
    ) return [];
    const found = appearanceOf(annotation);
    if (found === undefined) {
      // Some viewers would draw it, others would not.
      if (subtype !== "Widget" || fieldHasText(annotation)) throw new PdfError("not_flat");
      return [];
    }
    const { ref, form } = found;
    const bbox = boxOf(entry(form.dict, "BBox", PDFArray));
    if (bbox === undefined) return [];
    const at = transformBox(matrixOf(form.dict), bbox);
    if (at.width === 0 || at.height === 0) return [];
    const [x, y] = [rect.width / at.width, rect.height / at.height];
    const copied = this.#copier.copy(ref);
    return copied instanceof PDFRef
      ? [{
        ref: copied,
        matrix: [x, 0, 0, y, rect.left - x * at.left, rect.bottom - y * at.bottom],
      }]
      : [];
  }
}

/** Returns what an annotation looks like in its current state. */
function appearanceOf(annotation: PDFDict): { ref: PDFRef; form: PDFRawStream } | undefined {
  const appearances = entry(annotation, "AP", PDFDict);
  const states = entry(appearances, "N", PDFDict);
  const [from, key] = states === undefined
    ? [appearances, "N"]
    : [states, nameOf(annotation, "AS") ?? "Off"];
  const ref = from?.get(PDFName.of(key));
  const form = entry(from, key, PDFRawStream);
  return ref instanceof PDFRef && form !== undefined ? { ref, form } : undefined;
}

/** Returns whether a field, or the one that it belongs to, contains text. */
function fieldHasText(field: PDFDict): boolean {
  let next: PDFDict | undefined = field;
  for (let depth = 0; next !== undefined && depth < 32; depth++) {
    if (hasText(next, "V")) return true;
    next = entry(next, "Parent", PDFDict);
  }
  return false;
}

function matrixOf(form: PDFDict): Matrix {
  const array = entry(form, "Matrix", PDFArray);
  const numbers = array?.asArray().map((_, i) => Number(array.lookup(i)?.toString())) ?? [];
  return numbers.length === 6 && numbers.every(Number.isFinite)
    ? numbers as unknown as Matrix
    : AS_IT_IS;
}
