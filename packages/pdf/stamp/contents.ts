/**
 * Copies the content of pages, with the annotations that they show.
 *
 * @module
 */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  type PDFStream,
} from "@cantoo/pdf-lib";
import { concat } from "@std/bytes/concat";
import { type ContentCopier, EXTERNAL, isExternal } from "./copy.ts";
import { type Matrix, transformBox } from "../write/geometry.ts";
import type { Inflation } from "../read/inflation.ts";
import { PdfError } from "../problem.ts";
import { appearanceOf, isShown, layerOf, printedField } from "./annotations.ts";
import { boxOf, entry, itemsOf, nameOf, type SourcePage, streamsOf } from "../read/source.ts";
import type { Tag } from "../write/tags.ts";

/** The maximum that all pages add to a copy. Pages that share a content could otherwise add gigabytes. */
const MAX_TOTAL = 16 * 1024 * 1024;

/** The content of a page, as forms of the copy. */
export interface PageContent {
  /** The form XObject with the content of the page; undefined if it has none. */
  content: PDFRef | undefined;
  /** The transparency group of the page, whose colours are blended in its colour space. */
  group: PDFObject | undefined;
  /** The default colour spaces that some programs take from the page also for images and comments. */
  defaults: [name: string, space: PDFObject][];
  /** Annotations and fields that become part of the page. */
  notes: Note[];
}

/** An annotation or a field that becomes part of its page. */
interface Note {
  /** The form XObject that shows it, and the matrix to draw it with. */
  ref: PDFRef;
  matrix: Matrix;
  tag: Tag;
  /** Undefined if nothing can refer to the original. */
  original: PDFRef | undefined;
  /** The copy of the layer that it is part of. */
  layer: PDFObject | undefined;
}

/** The one for gray is that of the footer too, so it stays with the content. */
const DEFAULTS = ["DefaultRGB", "DefaultCMYK"];

const LINE_BREAK = new Uint8Array([0x0a]);

const AS_IT_IS: Matrix = [1, 0, 0, 1, 0, 0];

/**
 * Turns the pages of a PDF into form XObjects of another one. A form ends with the graphics state that
 * it began with, which a page's content need not do. Annotations and fields become part of the page.
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
  of(page: SourcePage): PageContent {
    const resources = page.resources === undefined
      ? this.#to.obj({})
      : this.#copier.resources(page.resources);
    const group = entry(page.dict, "Group", PDFDict);
    const spaces = entry(page.resources, "ColorSpace", PDFDict);
    return {
      content: this.#content(page, resources),
      group: group && this.#copier.content(group),
      defaults: DEFAULTS.flatMap((name) => {
        const space = spaces?.get(PDFName.of(name));
        return space === undefined ? [] : [[name, this.#copier.content(space)]];
      }),
      notes: this.#notes(page),
    };
  }

  #content(
    { dict, box: { left, bottom, width, height } }: SourcePage,
    resources: PDFObject,
  ): PDFRef | undefined {
    const streams = streamsOf(dict);
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
    form.dict.set(PDFName.of("Resources"), resources);
    return this.#to.register(form);
  }

  /** Returns a new stream with the bytes of a page's streams. One stream stays compressed as it is. */
  #joined(streams: PDFStream[]): PDFRawStream {
    const raw = streams.map((stream) => {
      if (!(stream instanceof PDFRawStream)) throw new PdfError("damaged");
      if (isExternal(stream.dict)) throw new PdfError("damaged", EXTERNAL);
      return stream;
    });
    if (raw.length === 1) {
      const dict = PDFDict.withContext(this.#to);
      for (const key of ["Filter", "DecodeParms"]) {
        const value = raw[0].dict.lookup(PDFName.of(key));
        if (value !== undefined) dict.set(PDFName.of(key), this.#copier.content(value));
      }
      return PDFRawStream.of(dict, raw[0].contents);
    }
    // A token cannot span two streams.
    const parts = raw.flatMap((stream) => [this.#inflation.decode(stream), LINE_BREAK]);
    return this.#to.flateStream(concat(parts));
  }

  #notes({ dict, rotation }: SourcePage): Note[] {
    const annotations = entry(dict, "Annots", PDFArray);
    return itemsOf(annotations).flatMap((annotation, i) => {
      if (!(annotation instanceof PDFDict) || !isShown(annotation, rotation !== 0)) return [];
      const original = annotations!.get(i);
      return this.#note(annotation, original instanceof PDFRef ? original : undefined);
    });
  }

  #note(annotation: PDFDict, original: PDFRef | undefined): Note[] {
    const rect = boxOf(entry(annotation, "Rect", PDFArray));
    if (rect === undefined) return [];
    const found = appearanceOf(annotation);
    if (found === undefined) return [];
    const { ref, form } = found;
    const bbox = boxOf(entry(form.dict, "BBox", PDFArray));
    if (bbox === undefined) return [];
    const at = transformBox(matrixOf(form.dict), bbox);
    if (at.width === 0 || at.height === 0) return [];
    const [x, y] = [rect.width / at.width, rect.height / at.height];
    const copied = this.#copier.appearance(ref);
    const layer = layerOf(annotation);
    return [{
      ref: copied,
      tag: nameOf(annotation, "Subtype") === "Widget"
        ? { type: "Form", attributes: printedField(annotation) }
        : { type: "P" },
      original,
      layer: layer && this.#copier.content(layer),
      matrix: [x, 0, 0, y, rect.left - x * at.left, rect.bottom - y * at.bottom],
    }];
  }
}

function matrixOf(form: PDFDict): Matrix {
  const numbers = itemsOf(entry(form, "Matrix", PDFArray)).map((item) => Number(String(item)));
  return numbers.length === 6 && numbers.every(Number.isFinite)
    ? numbers as unknown as Matrix
    : AS_IT_IS;
}
