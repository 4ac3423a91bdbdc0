import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFRawStream,
  PDFRef,
  type PDFStream,
} from "@cantoo/pdf-lib";
import { concat } from "@std/bytes/concat";
import type { ContentCopier } from "./copy.ts";
import { type Matrix, transformBox } from "../../../platform/pdf/geometry.ts";
import type { Inflation } from "./inflation.ts";
import { PdfError } from "./problem.ts";
import {
  boxOf,
  entry,
  hasText,
  isDangling,
  isHidden,
  itemsOf,
  nameOf,
  numberOf,
  type SourcePage,
  streamsOf,
} from "./source.ts";
import type { Tag } from "../../../platform/pdf/tags.ts";

/** The maximum that all pages add to a copy. Pages that share a content could otherwise add gigabytes. */
const MAX_TOTAL = 16 * 1024 * 1024;

/** An annotation or a field that becomes part of its page. */
export interface Note {
  /** The form XObject that shows it, and the matrix to draw it with. */
  ref: PDFRef;
  matrix: Matrix;
  tag: Tag;
  /** Undefined if nothing can refer to the original. */
  original: PDFRef | undefined;
}

const LINE_BREAK = new Uint8Array([0x0a]);

const AS_IT_IS: Matrix = [1, 0, 0, 1, 0, 0];

/** A flag of annotations. */
const PRINTED = 4;

/**
 * Turns the pages of a PDF into form XObjects of another one. A form ends with the graphics state that
 * it began with, which a page's content need not do. Annotations and fields that are printed become
 * part of the page.
 */
export class PageContents {
  readonly #to: PDFContext;
  readonly #copier: ContentCopier;
  readonly #inflation: Inflation;
  #total = 0;

  constructor(to: PDFContext, copier: ContentCopier, inflation: Inflation) {
    this.#to = to;
    this.#copier = copier;
    this.#inflation = inflation;
  }

  /** Returns the content of a page, undefined if it has none, and what is drawn above it. */
  of(page: SourcePage): { content: PDFRef | undefined; notes: Note[] } {
    return { content: this.#content(page), notes: this.#notes(page) };
  }

  #content(
    { dict, resources, box: { left, bottom, width, height } }: SourcePage,
  ): PDFRef | undefined {
    if (isDangling(dict, "Contents")) throw new PdfError("damaged");
    const streams = streamsOf(dict.lookup(PDFName.of("Contents")));
    if (streams.length === 0) return undefined;
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
    return this.#to.register(form);
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
    // A token cannot span two streams.
    const parts = raw.flatMap((stream) => [this.#inflation.decode(stream), LINE_BREAK]);
    return this.#to.flateStream(concat(parts));
  }

  #notes({ dict }: SourcePage): Note[] {
    const annotations = entry(dict, "Annots", PDFArray);
    return itemsOf(annotations).flatMap((annotation, i) => {
      const original = annotations!.get(i);
      return annotation instanceof PDFDict
        ? this.#note(annotation, original instanceof PDFRef ? original : undefined)
        : [];
    });
  }

  #note(annotation: PDFDict, original: PDFRef | undefined): Note[] {
    const subtype = nameOf(annotation, "Subtype");
    const isPrinted = ((numberOf(annotation, "F") ?? 0) & PRINTED) !== 0;
    const rect = boxOf(entry(annotation, "Rect", PDFArray));
    if (
      subtype === "Link" || subtype === "Popup" || isHidden(annotation) || !isPrinted ||
      rect === undefined
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
        tag: { type: subtype === "Widget" ? "Form" : "P" },
        original,
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
  const numbers = itemsOf(entry(form, "Matrix", PDFArray)).map((item) => Number(String(item)));
  return numbers.length === 6 && numbers.every(Number.isFinite)
    ? numbers as unknown as Matrix
    : AS_IT_IS;
}
