/**
 * Counts the work of drawing the content streams of a PDF, and finds faults that would affect what follows.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { type ContentUse, useOf } from "./content.ts";
import type { PdfFile } from "./file.ts";
import type { Page } from "./pages.ts";
import { type Dict, Stream, SyntaxProblem, type Value } from "./syntax.ts";

/** The kinds of streams with content, apart from those of pages. */
export type ContentKind = "form" | "comment" | "pattern" | "glyph" | "mask";

/** The work of a page without content, and of a comment or field, in bytes of content. */
const PAGE = 2_500;
const NOTE = 5_000;

/** How many graphics states a page's content may end that it did not begin: those of the copy around it. */
export const MAX_EXCESS = 4;

const OPEN_LAYER = "a layer that does not end";
const TOO_MANY = "it ends too many states";

/** The most forms and patterns within each other of which the work is counted. */
const MAX_DEPTH = 60;

/** The content streams of a PDF: the work of drawing them, and faults that would affect what follows. */
export class ContentUses {
  readonly #file: PdfFile;
  readonly #hasLayers: boolean;
  readonly #uses = new Map<Stream, ContentUse | null>();
  readonly #missing = new Map<Dict, Set<string>>();
  readonly #totals = { bytes: new Map<Stream, number>(), excess: new Map<Stream, number>() };

  constructor(file: PdfFile) {
    this.#file = file;
    this.#hasLayers = file.dict(file.catalog.get("OCProperties")) !== undefined;
  }

  /**
   * Returns the work of drawing a page, about in bytes of content.
   *
   * @returns `fault`: what is wrong with its content; `isUnclear`: true if it cannot be read in one way only
   */
  ofPage(
    { contents, resources, dict }: Page,
  ): { work: number; fault: string | undefined; isUnclear: boolean } {
    const notes = this.#file.list(dict.get("Annots"));
    const use = contents.length === 1 ? this.#useOf(contents[0]) : this.#useOfJoined(contents);
    const [bytes, excess] = [
      this.#total("bytes", use, resources),
      this.#total("excess", use, resources),
    ];
    const isUnclear = use === null || excess === Infinity;
    const fault = this.#hasLayers && use?.hasOpenLayer
      ? OPEN_LAYER
      : !isUnclear && excess > MAX_EXCESS
      ? TOO_MANY
      : undefined;
    return { work: PAGE + notes.length * NOTE + bytes, fault, isUnclear };
  }

  /** Returns what is wrong with a content stream; undefined if nothing is. */
  faultOf(stream: Stream, kind: ContentKind): string | undefined {
    const use = this.#useOf(stream);
    if (use === null) return undefined;
    if (["glyph", "mask"].includes(kind) && use.excess > 0) {
      return `a ${kind} ends states that it did not begin`;
    }
    if (
      kind === "comment" &&
      this.#total("excess", use, stream.dict.get("Resources") ?? null) > MAX_EXCESS
    ) return TOO_MANY;
    if (this.#hasLayers && use.hasOpenLayer) return OPEN_LAYER;
    if (this.#hasLayers && kind !== "form" && use.endsOthers) {
      return `a ${kind} ends a layer that it did not begin`;
    }
  }

  #useOfJoined(contents: Stream[]): ContentUse | null {
    return this.#read(() =>
      concat(contents.flatMap((stream) => [this.#file.decode(stream), LINE_BREAK]))
    );
  }

  #useOf(stream: Stream): ContentUse | null {
    let use = this.#uses.get(stream);
    if (use === undefined) {
      use = this.#read(() => this.#file.decode(stream));
      this.#uses.set(stream, use);
    }
    return use;
  }

  #read(decode: () => Uint8Array): ContentUse | null {
    try {
      return useOf(decode());
    } catch (error) {
      if (error instanceof SyntaxProblem) return null;
      throw error;
    }
  }

  /**
   * Returns a name that a form, pattern, glyph or comment on a page uses without having it, although its page does.
   * Only some programs find it there.
   */
  borrowedBy({ resources, dict }: Page): string | undefined {
    const own = this.#namesIn(resources);
    const missing = [
      this.#missingIn(resources),
      ...this.#file.list(dict.get("Annots")).flatMap((annotation) =>
        appearancesOf(this.#file, annotation).map((appearance) =>
          this.#missingOf(this.#file.get(appearance), null)
        )
      ),
    ];
    for (const names of missing) {
      for (const name of names) if (own.has(name)) return name;
    }
  }

  /** Returns the names of all kinds in resources. */
  #namesIn(resources: Value | undefined): Set<string> {
    const dict = this.#file.dict(resources);
    return new Set(KINDS.flatMap((kind) => [...this.#file.dict(dict?.get(kind))?.keys() ?? []]));
  }

  /** Returns the names that what is in resources uses without having them. */
  #missingIn(resources: Value | undefined): ReadonlySet<string> {
    const dict = this.#file.dict(resources);
    if (dict === undefined) return NONE;
    const known = this.#missing.get(dict);
    if (known !== undefined) return known;
    const missing = new Set<string>();
    this.#missing.set(dict, missing); // It may contain itself.
    const each = (kind: string) => [...this.#file.dict(dict.get(kind))?.values() ?? []];
    const add = (names: ReadonlySet<string>) => names.forEach((name) => missing.add(name));
    for (const value of [...each("XObject"), ...each("Pattern")]) {
      add(this.#missingOf(this.#file.get(value), null));
    }
    for (const state of each("ExtGState")) {
      const mask = this.#file.dict(this.#file.dict(state)?.get("SMask"));
      add(this.#missingOf(this.#file.get(mask?.get("G")), null));
    }
    for (const value of each("Font")) {
      const font = this.#file.dict(value);
      if (this.#file.name(font?.get("Subtype")) !== "Type3") continue;
      for (const glyph of this.#file.dict(font!.get("CharProcs"))?.values() ?? []) {
        add(this.#missingOf(this.#file.get(glyph), font!.get("Resources") ?? null));
      }
    }
    return missing;
  }

  /** @param resources those of the font that a glyph is in */
  #missingOf(stream: Value, resources: Value): ReadonlySet<string> {
    if (!(stream instanceof Stream)) return NONE;
    const own = stream.dict.get("Resources") ?? resources;
    // Without resources, it uses those of its page.
    if (this.#file.dict(own) === undefined) return NONE;
    const names = this.#namesIn(own);
    const isWithContent = resources !== null || isContent(this.#file, stream.dict);
    const used = isWithContent ? this.#useOf(stream)?.names ?? NONE : NONE;
    return new Set([...used].filter((name) => !names.has(name)).concat([...this.#missingIn(own)]));
  }

  /** Adds up something of a content and of the forms that it draws, as often as it draws them. */
  #total(of: "bytes" | "excess", use: ContentUse | null, resources: Value, depth = 0): number {
    if (use === null) return 0;
    if (depth > MAX_DEPTH) return Infinity;
    const dict = this.#file.dict(resources);
    let total = use[of];
    for (const [name, times] of use.draws) {
      for (const kind of of === "bytes" ? ["XObject", "Pattern"] : ["XObject"]) {
        const stream = this.#file.get(this.#file.dict(dict?.get(kind))?.get(name));
        if (!(stream instanceof Stream) || !isContent(this.#file, stream.dict)) continue;
        const part = this.#totalOfStream(of, stream, resources, depth + 1);
        if (part > 0) total += times * part;
      }
    }
    return total;
  }

  #totalOfStream(
    of: "bytes" | "excess",
    stream: Stream,
    resources: Value,
    depth: number,
  ): number {
    const known = this.#totals[of].get(stream);
    if (known !== undefined) return known;
    this.#totals[of].set(stream, 0); // It may draw itself.
    const own = stream.dict.get("Resources") ?? resources;
    const total = this.#total(of, this.#useOf(stream), own, depth);
    this.#totals[of].set(stream, total);
    return total;
  }
}

/** The kinds of resources that content uses by their names. */
const KINDS = ["ColorSpace", "ExtGState", "Font", "Pattern", "Shading", "XObject"];

const NONE: ReadonlySet<string> = new Set();

/** Returns all appearances that an annotation can have. */
export function appearancesOf(file: PdfFile, annotation: Value): Value[] {
  const normal = file.dict(file.dict(annotation)?.get("AP"))?.get("N");
  const found = file.get(normal);
  return found instanceof Map ? [...found.values()] : normal === undefined ? [] : [normal];
}

const LINE_BREAK = Uint8Array.of(0x0a);

/** Returns whether a stream is a form or a tiling pattern. */
export const isContent = (file: PdfFile, dict: Dict): boolean =>
  file.name(dict.get("Subtype")) === "Form" || file.number(dict.get("PatternType")) === 1;
