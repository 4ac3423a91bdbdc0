import { type PDFDocument, PDFHexString, type PDFRef } from "@cantoo/pdf-lib";
import metrics from "./fonts/metrics.json" with { type: "json" };
import { codeOf, FIRST_CODE, LAST_CODE } from "./windows_1252.ts";

/** The measures of a font, in thousandths of its size. */
export interface FontMetrics {
  ascent: number;
  descent: number;
  capHeight: number;
  /** Left, bottom, right and top, separated by spaces. */
  box: string;
  /** The approximate width of vertical strokes. */
  stem: number;
  /** From code 32, separated by spaces. A character that the font lacks has the width 0. */
  widths: string;
}

/** The files in `fonts/`, which `tools/pdf_fonts.ts` makes. */
export type FontFile = keyof typeof metrics;

/** A flag of fonts whose characters have a standard encoding. */
const NONSYMBOLIC = 32;

const numbers = (text: string): number[] => text.split(" ").map(Number);

/** The letters of a font. It throws for a character that the font lacks. */
export class Typeface {
  readonly #file: FontFile;
  readonly #widths: readonly number[];

  constructor(file: FontFile) {
    this.#file = file;
    this.#widths = numbers(metrics[file].widths);
  }

  /** Returns the width of a text in points. */
  widthOf(text: string, size: number): number {
    let width = 0;
    for (const code of this.#codes(text)) width += this.#widths[code - FIRST_CODE];
    return width * size / 1000;
  }

  /** Returns a text as an operand of `Tj`. */
  encode(text: string): string {
    return String(PDFHexString.of(Uint8Array.from(this.#codes(text)).toHex()));
  }

  #codes(text: string): number[] {
    return Array.from(text, (letter) => {
      const code = codeOf(letter);
      if (code === undefined || this.#widths[code - FIRST_CODE] === 0) {
        throw new Error(`The font ${this.#file} has no ${JSON.stringify(letter)}.`);
      }
      return code;
    });
  }
}

/** Adds a font with all its letters to a PDF, in which a text can be replaced later. */
export async function embedFont({ context }: PDFDocument, file: FontFile): Promise<PDFRef> {
  const bytes = await Deno.readFile(new URL(`./fonts/${file}.ttf`, import.meta.url));
  const { ascent, descent, capHeight, box, stem, widths } = metrics[file];
  const name = `BRANDS+${file}`; // six letters mark a subset
  const descriptor = context.register(context.obj({
    Type: "FontDescriptor",
    FontName: name,
    Flags: NONSYMBOLIC,
    FontBBox: numbers(box),
    ItalicAngle: 0,
    Ascent: ascent,
    Descent: descent,
    CapHeight: capHeight,
    StemV: stem,
    FontFile2: context.register(context.flateStream(bytes, { Length1: bytes.length })),
  }));
  return context.register(context.obj({
    Type: "Font",
    Subtype: "TrueType",
    BaseFont: name,
    Encoding: "WinAnsiEncoding",
    FirstChar: FIRST_CODE,
    LastChar: LAST_CODE,
    Widths: numbers(widths),
    FontDescriptor: descriptor,
  }));
}
