import type { PDFContext, PDFRef } from "@cantoo/pdf-lib";
import { num } from "../number.ts";
import { EmbeddedWideFont, type WideFont } from "./embed.ts";
import type { WideFile } from "./faces.ts";

/** The fonts of a PDF by their place. A text for which a font lacks a letter is in the next font. */
export class FontSet<Name extends string = string> {
  /** The resources of the pages: the fonts that are used. */
  readonly ref: PDFRef;
  readonly #context: PDFContext;
  readonly #fonts: Readonly<Record<Name, readonly WideFont[]>>;
  readonly #used = new Map<WideFile, EmbeddedWideFont>();

  readonly #suffix: string;

  /** @param suffix what the names of the fonts in the resources end with */
  constructor(
    context: PDFContext,
    fonts: Readonly<Record<Name, readonly WideFont[]>>,
    suffix = "",
  ) {
    this.#suffix = suffix;
    this.#context = context;
    this.#fonts = fonts;
    this.ref = context.nextRef();
  }

  /** Returns whether a text can be shown, alone or as a part of another one that can be shown. */
  covers(name: Name, text: string): boolean {
    return this.#fonts[name].at(-1)!.face.covers(text);
  }

  /** Returns the width of a text in points. */
  widthOf(name: Name, text: string, size: number): number {
    return this.#fontOf(name, text).face.widthOf(text, size);
  }

  /** Returns the operators that show a text. */
  show(name: Name, text: string, size: number): string {
    const font = this.#fontOf(name, text);
    let used = this.#used.get(font.file);
    if (used === undefined) {
      used = new EmbeddedWideFont(this.#context, font);
      this.#used.set(font.file, used);
    }
    return `/${font.file}${this.#suffix} ${num(size)} Tf ${used.show(text, size)}`;
  }

  /** Adds the fonts to the PDF, once everything is drawn. */
  write(): void {
    const resources: Record<string, PDFRef> = {};
    for (const [file, font] of this.#used) {
      font.write();
      resources[file + this.#suffix] = font.ref;
    }
    this.#context.assign(this.ref, this.#context.obj(resources));
  }

  #fontOf(name: Name, text: string): WideFont {
    const fonts = this.#fonts[name];
    if (fonts.length === 1) return fonts[0];
    return fonts.find(({ face }) => face.covers(text)) ?? fonts.at(-1)!;
  }
}
