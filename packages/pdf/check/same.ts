/**
 * Compares two objects of two PDFs with everything that they lead to.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { PdfFile } from "./file.ts";
import { type ContentKind, isContent } from "./uses.ts";
import { type Dict, Name, Ref, Stream, Text, type Value } from "./syntax.ts";

/** Entries without an effect on what a page shows. */
const LEFT_OUT = new Set(["AF", "Measure", "Metadata", "PieceInfo", "PtData", "StructParent"]);

/** The same of streams: also what would replace their bytes, and what the copy counts differently. */
const LEFT_OUT_OF_STREAMS = new Set([
  ...LEFT_OUT,
  "Alternates",
  "F",
  "FDecodeParms",
  "FFilter",
  "Length",
  "OPI",
  "Ref",
  "StructParents",
  "Type", // Viewers use the subtype.
]);

/** Dictionaries whose keys are names that the file gives, so that no key has a meaning. */
const NAMING = new Set([
  "CharProcs",
  "ColorSpace",
  "Colorants",
  "ExtGState",
  "Font",
  "Pattern",
  "Properties",
  "Shading",
  "XObject",
]);

const FORM = new Name("Form");

interface Pair {
  original: Value | undefined;
  copy: Value | undefined;
  /** Where the two are, such as `Resources/Font/F1`. */
  path: string;
  /** True if the keys are names that the file gives. */
  naming: boolean;
  /** The original's resources that the values are used with. */
  resources: Value;
}

/** Returns whether two numbers are the same, although tiny ones are written with other last digits. */
const isSameNumber = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-12 * Math.abs(a);

/**
 * Compares values of two PDFs with everything that they refer to. Streams must have the same bytes.
 * The numbers of objects do not count.
 */
export class Comparison {
  readonly #original: PdfFile;
  readonly #copy: PdfFile;
  readonly #seen = new Set<string>();
  /** Those of the current comparison, which count only if it finds no difference. */
  #added: string[] = [];
  /** A list, because a chain of references can be longer than the stack. */
  readonly #left: Pair[] = [];
  /** The resources of the page. */
  #resources: Value = null;
  /** The original's streams with content that were found since they were taken. */
  #contents: [Stream, ContentKind][] = [];

  constructor(original: PdfFile, copy: PdfFile) {
    this.#original = original;
    this.#copy = copy;
  }

  /**
   * Returns where two values differ; undefined if they are the same.
   *
   * @param resources those of the original's page
   */
  difference(
    original: Value | undefined,
    copy: Value | undefined,
    path: string,
    resources: Value,
  ): string | undefined {
    this.#resources = this.#original.get(resources);
    this.#left.length = 0;
    this.#added = [];
    this.#left.push({ original, copy, path, naming: false, resources: this.#resources });
    for (let pair = this.#left.pop(); pair !== undefined; pair = this.#left.pop()) {
      if (this.#isSame(pair)) continue;
      for (const key of this.#added) this.#seen.delete(key);
      return pair.path;
    }
  }

  /** Returns the streams with content, apart from those of pages, that were compared for the first time. */
  takeContents(): [Stream, ContentKind][] {
    const contents = this.#contents;
    this.#contents = [];
    return contents;
  }

  #isSame(pair: Pair): boolean {
    const { original, copy, path, naming, resources } = pair;
    if (this.#isLentOthers(pair)) return false;
    if (original instanceof Ref && copy instanceof Ref) {
      const key = `${original.number} ${copy.number}`;
      if (this.#seen.has(key)) return true;
      this.#seen.add(key);
      this.#added.push(key);
    }
    const [a, b] = [this.#original.get(original), this.#copy.get(copy)];
    if (a === b) return true;
    if (typeof a === "number" && typeof b === "number") return isSameNumber(a, b);
    if (a instanceof Name) return b instanceof Name && a.name === b.name;
    if (a instanceof Text) return b instanceof Text && a.bytes === b.bytes;
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      for (const [i, item] of a.entries()) {
        this.#left.push({ original: item, copy: b[i], path, naming: false, resources });
      }
      return true;
    }
    if (a instanceof Stream) {
      if (!(b instanceof Stream) || !isEqual(a.bytes, b.bytes)) return false;
      this.#noteContent(a, path);
      return this.#isSameDict(a.dict, b.dict, pair, LEFT_OUT_OF_STREAMS);
    }
    if (!(a instanceof Map) || !(b instanceof Map)) return false;
    return this.#isSameDict(a, b, pair, naming ? undefined : LEFT_OUT);
  }

  #noteContent(stream: Stream, path: string): void {
    const [above, key] = path.split("/").slice(-2);
    if (above === "CharProcs") this.#contents.push([stream, "glyph"]);
    else if (above === "SMask" && key === "G") this.#contents.push([stream, "mask"]);
    else if (isContent(this.#original, stream.dict)) {
      this.#contents.push([stream, stream.dict.has("PatternType") ? "pattern" : "form"]);
    }
  }

  /**
   * Returns whether the copy gives a form or font without resources those of the page, although viewers use
   * those of the form that draws it.
   */
  #isLentOthers({ original, copy, resources }: Pair): boolean {
    if (resources === this.#resources) return false;
    const isWithout = this.#original.dict(original)?.has("Resources") === false;
    return isWithout && this.#copy.dict(copy)?.has("Resources") === true;
  }

  #isSameDict(
    a: Dict,
    b: Dict,
    { path, resources }: Pair,
    leftOut: Set<string> | undefined,
  ): boolean {
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      if (leftOut?.has(key)) continue;
      let original = a.get(key);
      const copy = b.get(key);
      const isMissing = original === undefined && copy !== undefined;
      // Viewers draw the appearance of a note as a form even if it does not say that it is one.
      if (key === "Subtype" && isMissing && !path.includes("/")) original = FORM;
      // Forms and fonts without resources use those of the page.
      if (key === "Resources" && isMissing) original = this.#resources;
      const isOwn = key === "Resources" && leftOut !== undefined;
      this.#left.push({
        original,
        copy,
        path: `${path}/${key}`,
        resources: isOwn ? this.#original.get(original) : resources,
        naming: leftOut !== undefined && NAMING.has(key),
      });
    }
    return true;
  }
}

/** Returns whether two byte sequences are the same. */
export const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
