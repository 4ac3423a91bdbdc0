/**
 * Embeds the letters of a font that a PDF shows.
 *
 * @module
 */
import { fnv1a } from "../../../lib/base/fnv1a.ts";
import { type PDFContext, PDFRawStream, type PDFRef, PDFString } from "@cantoo/pdf-lib";
import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import type { Glyph, WideFont } from "./font.ts";

/** A flag of fonts whose characters have no standard encoding. */
const SYMBOLIC = 4;

/** The most rows of one block of a table. */
const MAX_ROWS = 100;

const hex = (code: number): string => code.toString(16).padStart(4, "0");

/** Returns a text in UTF-16 as hexadecimal digits. */
export const utf16 = (text: string): string =>
  Buffer.from(text, "utf16le").swap16().toString("hex");

/**
 * A font in a PDF, which contains the glyphs of the texts that it has shown. It has a glyph for each text that one
 * represents, so that every program finds the right one.
 */
export class EmbeddedWideFont {
  readonly ref: PDFRef;
  readonly #context: PDFContext;
  readonly #font: WideFont;
  readonly #codes = new Map<string, number>();
  /** By code, from 1. */
  readonly #used: Glyph[] = [];

  constructor(context: PDFContext, font: WideFont) {
    this.#context = context;
    this.#font = font;
    this.ref = context.nextRef();
  }

  /** Returns the code of a glyph as hexadecimal digits. */
  codeOf(glyph: Glyph): string {
    let code = this.#codes.get(glyph.key);
    if (code === undefined) this.#codes.set(glyph.key, code = this.#used.push(glyph));
    return hex(code);
  }

  /** Adds the font to the PDF, once everything is drawn. */
  write(): void {
    const { file, metrics, outlines } = this.#font;
    const context = this.#context;
    const program = outlines.subset(this.#used);
    const name = `${tagOf(this.#used)}+${file}`;
    const descriptor = context.register(context.obj({
      Type: "FontDescriptor",
      FontName: name,
      Flags: SYMBOLIC,
      FontBBox: metrics.box,
      ItalicAngle: 0,
      Ascent: metrics.ascent,
      Descent: metrics.descent,
      CapHeight: metrics.capHeight,
      StemV: metrics.stem,
      FontFile2: this.#stream(program, { Length1: program.length }),
    }));
    const descendant = context.register(context.obj({
      Type: "Font",
      Subtype: "CIDFontType2",
      BaseFont: name,
      CIDSystemInfo: {
        Registry: PDFString.of("Adobe"),
        Ordering: PDFString.of("Identity"),
        Supplement: 0,
      },
      FontDescriptor: descriptor,
      W: [1, this.#used.map(({ width }) => width)],
      CIDToGIDMap: "Identity",
    }));
    context.assign(
      this.ref,
      context.obj({
        Type: "Font",
        Subtype: "Type0",
        BaseFont: name,
        Encoding: "Identity-H",
        DescendantFonts: [descendant],
        ToUnicode: this.#stream(Buffer.from(this.#textsByCode())),
      }),
    );
  }

  /** Returns the program (a ToUnicode CMap) that maps each code to its text. */
  #textsByCode(): string {
    const rows = this.#used.map(({ text }, i) => `<${hex(i + 1)}> <${utf16(text)}>`);
    const blocks: string[] = [];
    for (let i = 0; i < rows.length; i += MAX_ROWS) {
      const block = rows.slice(i, i + MAX_ROWS);
      blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`);
    }
    return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${blocks.join("\n")}
endcmap CMapName currentdict /CMap defineresource pop end end`;
  }

  #stream(bytes: Uint8Array, entries: Record<string, number> = {}): PDFRef {
    const dict = this.#context.obj({ ...entries, Filter: "FlateDecode" });
    return this.#context.register(PDFRawStream.of(dict, deflateSync(bytes)));
  }
}

/** Returns the six letters that mark a subset. Subsets of other glyphs have other letters. */
function tagOf(used: readonly Glyph[]): string {
  const glyphs = used.flatMap(({ parts }) => parts).map(({ glyph }) => String.fromCharCode(glyph));
  let hash = fnv1a(glyphs.join(""));
  let tag = "";
  for (let i = 0; i < 6; i++, hash = Math.floor(hash / 26)) {
    tag += String.fromCharCode(65 + hash % 26);
  }
  return tag;
}
