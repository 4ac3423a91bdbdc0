import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFInvalidObject,
  PDFNull,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";
import { PdfError } from "./problem.ts";
import { entry, nameOf } from "./source.ts";

/** Entries of streams that lead to something other than what a page shows. */
const DROPPED_FROM_STREAMS = new Set([
  "AF",
  "Alternates",
  "F",
  "FDecodeParms",
  "FFilter",
  "Length", // The writer sets it.
  "Measure",
  "Metadata",
  "OPI",
  "PieceInfo",
  "PtData",
  "Ref",
  "StructParent", // Keys of the original's structure.
  "StructParents",
]);

/** Types of objects that are not part of a page's content. */
const DROPPED_TYPES = new Set([
  "Action",
  "Annot",
  "Catalog",
  "EmbeddedFile",
  "Filespec",
  "Metadata",
  "ObjStm",
  "Outlines",
  "Page",
  "Pages",
  "Sig",
  "StructElem",
  "StructTreeRoot",
  "XRef",
]);

/** Types of layers and of groups of layers. */
const LAYERS = new Set(["OCG", "OCMD"]);

/** Entries without which a page would look different: hidden layers would appear. */
const NEEDED = new Set(["Properties", "Resources", "Usage"]);

/** Actions have no `Type`, as a rule. Other objects have an `S` too, such as `Transparency`. */
const ACTIONS = new Set([
  "GoTo",
  "GoTo3DView",
  "GoToE",
  "GoToR",
  "Hide",
  "ImportData",
  "JavaScript",
  "Launch",
  "Movie",
  "Named",
  "Rendition",
  "ResetForm",
  "RichMediaExecute",
  "SetOCGState",
  "Sound",
  "SubmitForm",
  "Thread",
  "Trans",
  "URI",
]);

/** Returns whether an object is left out of a copy. */
export const isDropped = (dict: PDFDict): boolean =>
  DROPPED_TYPES.has(nameOf(dict, "Type") ?? "") || ACTIONS.has(nameOf(dict, "S") ?? "") ||
  entry(dict, "EF", PDFDict) !== undefined;

/**
 * Copies what a page shows from one PDF to another: fonts, images, patterns. Actions, embedded files,
 * structure and metadata are left out, even where a page's content refers to them. The objects are in
 * the order in which they were found, so that equal input gives equal output.
 */
export class ContentCopier {
  readonly #to: PDFContext;
  readonly #from: PDFContext;
  readonly #copies = new Map<PDFRef, PDFRef>();
  /** A list rather than recursion, because a chain of references can be longer than the stack. */
  readonly #waiting: PDFRef[] = [];
  readonly #shared = new Map<PDFDict, PDFRef>();

  constructor(from: PDFContext, to: PDFContext) {
    this.#from = from;
    this.#to = to;
  }

  /** Copies a dictionary once, however many pages share it. */
  shared(dict: PDFDict): PDFRef {
    let ref = this.#shared.get(dict);
    if (ref !== undefined) return ref;
    if (isDropped(dict)) throw new PdfError("damaged");
    this.#shared.set(dict, ref = this.#to.register(this.copy(dict)));
    return ref;
  }

  /** Returns the reference to the copy of an object, which the caller makes. */
  claim(ref: PDFRef): PDFRef {
    let copied = this.#copies.get(ref);
    if (copied === undefined) this.#copies.set(ref, copied = this.#to.nextRef());
    return copied;
  }

  /** Copies a value with everything that it refers to. */
  copy(value: PDFObject): PDFObject {
    const copied = this.#copy(value);
    for (let ref = this.#waiting.pop(); ref !== undefined; ref = this.#waiting.pop()) {
      const found = this.#from.lookup(ref);
      this.#to.assign(this.#copies.get(ref)!, found === undefined ? PDFNull : this.#copy(found));
    }
    return copied;
  }

  #copy(value: PDFObject): PDFObject {
    if (value instanceof PDFRef) return this.#reference(value);
    if (value instanceof PDFStream) return this.#stream(value);
    if (value instanceof PDFDict) {
      if (!isDropped(value)) return this.#dict(value);
      // Without its layer, hidden content would become visible.
      if (LAYERS.has(nameOf(value, "Type") ?? "")) throw new PdfError("damaged");
      return PDFNull;
    }
    if (value instanceof PDFArray) {
      const copied = PDFArray.withContext(this.#to);
      for (const item of value.asArray()) copied.push(this.#copy(item));
      return copied;
    }
    // Its bytes could contain anything.
    if (value instanceof PDFInvalidObject) throw new PdfError("damaged");
    return value;
  }

  #reference(ref: PDFRef): PDFRef {
    const copied = this.#copies.get(ref);
    if (copied !== undefined) return copied;
    this.#waiting.push(ref);
    return this.claim(ref);
  }

  #dict(dict: PDFDict, dropped?: Set<string>): PDFDict {
    const copied = PDFDict.withContext(this.#to);
    for (const [key, value] of dict.entries()) {
      const name = key.decodeText();
      if (dropped?.has(name)) continue;
      const needed = NEEDED.has(name) ? this.#from.lookup(value) : undefined;
      if (needed instanceof PDFDict && isDropped(needed)) throw new PdfError("damaged");
      copied.set(key, this.#copy(value));
    }
    return copied;
  }

  #stream(stream: PDFStream): PDFObject {
    if (!(stream instanceof PDFRawStream)) throw new PdfError("damaged");
    if (isDropped(stream.dict) || nameOf(stream.dict, "Subtype") === "PS") return PDFNull;
    return PDFRawStream.of(this.#dict(stream.dict, DROPPED_FROM_STREAMS), stream.contents);
  }
}
