import type { PDFContext, PDFRef } from "@cantoo/pdf-lib";
import { num } from "../number.ts";
import { EmbeddedWideFont, utf16 } from "./embed.ts";
import type { WideFile } from "./faces.ts";
import type { WideFont } from "./font.ts";
import type { Direct, WideFonts } from "./fonts.ts";

/** The fonts of a PDF by their place, see {@link WideFonts.line}. */
export class FontSet<Name extends string = string> {
  /** The resources of the pages: the fonts that are used. */
  readonly ref: PDFRef;
  readonly #context: PDFContext;
  readonly #fonts: WideFonts;
  readonly #files: Readonly<Record<Name, readonly WideFile[]>>;
  readonly #used = new Map<WideFont, EmbeddedWideFont>();
  readonly #suffix: string;

  /** @param suffix what the names of the fonts in the resources end with */
  constructor(
    context: PDFContext,
    fonts: WideFonts,
    files: Readonly<Record<Name, readonly WideFile[]>>,
    suffix = "",
  ) {
    this.#suffix = suffix;
    this.#context = context;
    this.#fonts = fonts;
    this.#files = files;
    this.ref = context.nextRef();
  }

  /** Returns whether a text can be shown, alone or as a part of another one that can be shown. */
  covers(name: Name, text: string): boolean {
    return this.#fonts.line(this.#files[name], text).missing.length === 0;
  }

  /** Returns the width of a text in points. */
  widthOf(name: Name, text: string, size: number, direct?: Direct): number {
    return this.#fonts.widthOf(this.#files[name], text, direct) * size / 1000;
  }

  /** Returns how far the letters of a text are below and above its baseline in points, in most scripts. */
  extentOf(
    name: Name,
    text: string,
    size: number,
    direct?: Direct,
  ): { bottom: number; top: number } {
    let [bottom, top] = [0, 0];
    for (const { font, glyph, up } of this.#fonts.line(this.#files[name], text, direct).glyphs) {
      const [low, high] = font.extentOf(glyph);
      bottom = Math.min(bottom, low + up);
      top = Math.max(top, high + up);
    }
    return { bottom: bottom * size / 1000, top: top * size / 1000 };
  }

  /** Returns the operators that show a text. Throws for a character that no font can show. */
  show(name: Name, text: string, size: number, direct?: Direct): string {
    const { glyphs, missing, mixed } = this.#fonts.line(this.#files[name], text, direct);
    if (missing.length > 0) throw new Error(`The fonts have no ${JSON.stringify(missing[0])}.`);
    const operators: string[] = [];
    let font: WideFont | undefined;
    let shown = "";
    /** Where the next glyph belongs, where it would be, and where the text was last placed. */
    let [x, at, placed] = [0, 0, 0];
    let height = 0;
    const end = () => {
      if (shown !== "") operators.push(`[${shown}] TJ`);
      shown = "";
    };
    let isRest = false;
    for (const glyph of glyphs) {
      const to = x + glyph.right;
      // Some programs lose their place at glyphs without a text, so the next one is placed anew.
      const anew = glyph.font !== font || (isRest && glyph.text !== "");
      if (anew || glyph.up !== height) end();
      if (anew && to !== placed) {
        operators.push(`${num((to - placed) * size / 1000)} 0 Td`);
        placed = to;
        at = to;
      }
      if (glyph.font !== font) {
        font = glyph.font;
        operators.push(`/${font.file}${this.#suffix} ${num(size)} Tf`);
      }
      if (glyph.up !== height) {
        height = glyph.up;
        operators.push(`${num(height * size / 1000)} Ts`);
      }
      const move = num(at - to);
      shown += `${move === "0" ? "" : move}<${this.#embedded(font).codeOf(glyph)}>`;
      at = to + glyph.width;
      x += glyph.advance;
      isRest = glyph.text === "";
    }
    end();
    if (height !== 0) operators.push("0 Ts");
    const all = operators.join(" ").replaceAll("><", "");
    // Programs turn a text from right to left around, so it is given only for other lines.
    const isPlain = mixed || glyphs.every((glyph) => glyph.text !== "");
    return isPlain ? all : `/Span <</ActualText <feff${utf16(text)}>>> BDC ${all} EMC`;
  }

  /** Adds the fonts to the PDF, once everything is drawn. */
  write(): void {
    const resources: Record<string, PDFRef> = {};
    for (const [{ file }, font] of this.#used) {
      font.write();
      resources[file + this.#suffix] = font.ref;
    }
    this.#context.assign(this.ref, this.#context.obj(resources));
  }

  #embedded(font: WideFont): EmbeddedWideFont {
    let used = this.#used.get(font);
    if (used === undefined) {
      used = new EmbeddedWideFont(this.#context, font);
      this.#used.set(font, used);
    }
    return used;
  }
}
