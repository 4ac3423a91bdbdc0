/**
 * The fonts of one PDF by the names of their places.
 *
 * @module
 */
import type { PDFContext, PDFRef } from "@cantoo/pdf-lib";
import { languageOf } from "../write/language.ts";
import { num } from "../write/number.ts";
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
  /** Returns the language of a text, for letters that look different in some; undefined for one in our language. */
  readonly languageOf: (text: string) => string | undefined;

  /**
   * @param options.suffix what the names of the fonts in the resources end with
   * @param options.domain the domain of who wrote the texts, see {@link languageOf}
   */
  constructor(
    context: PDFContext,
    fonts: WideFonts,
    files: Readonly<Record<Name, readonly WideFile[]>>,
    { suffix = "", domain }: { suffix?: string; domain?: string } = {},
  ) {
    this.#suffix = suffix;
    this.languageOf = (text) => languageOf(text, domain);
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
    const width = this.#fonts.widthOf(this.#files[name], text, this.#directed(text, direct));
    return width * size / 1000;
  }

  /** Returns how far the letters of a text are below and above its baseline in points, in most scripts. */
  extentOf(
    name: Name,
    text: string,
    size: number,
    direct?: Direct,
  ): { bottom: number; top: number } {
    let [bottom, top] = [0, 0];
    for (const { font, parts } of this.#fonts.line(this.#files[name], text, direct).glyphs) {
      for (const [low, high] of parts.map((part) => font.extentOf(part))) {
        bottom = Math.min(bottom, low);
        top = Math.max(top, high);
      }
    }
    return { bottom: bottom * size / 1000, top: top * size / 1000 };
  }

  /** Returns the operators that show a text. Throws for a character that no font can show. */
  show(name: Name, text: string, size: number, direct?: Direct): string {
    const { glyphs, missing, mixed } = this.#fonts.line(
      this.#files[name],
      text,
      this.#directed(text, direct),
    );
    if (missing.length > 0) throw new Error(`The fonts have no ${JSON.stringify(missing[0])}.`);
    const operators: string[] = [];
    let font: WideFont | undefined;
    let shown = "";
    /** How far the next glyph moves. */
    let move = 0;
    const end = () => {
      if (move !== 0) shown += num(-move);
      if (shown !== "") operators.push(`[${shown}] TJ`);
      shown = "";
      move = 0;
    };
    for (const glyph of glyphs) {
      if (glyph.font !== font) {
        end();
        font = glyph.font;
        operators.push(`/${font.file}${this.#suffix} ${num(size)} Tf`);
      }
      const code = this.#embedded(font).codeOf(glyph);
      shown += `${move === 0 ? "" : num(-move)}<${code}>`;
      move = rounded(glyph.advance - glyph.width);
    }
    end();
    const all = operators.join(" ").replaceAll("><", "");
    // Programs turn a text from right to left around, so it is given only for other lines.
    const isPlain = mixed || glyphs.every(({ width }) => width > 0);
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

  #directed(text: string, { rtl, language = this.languageOf(text) }: Direct = {}): Direct {
    return { rtl, language };
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

/** Without errors of floating point, so that letters without kerning do not move. */
const rounded = (thousandths: number): number => Math.round(thousandths * 1000) / 1000;
