import { type PDFContext, PDFRawStream, type PDFRef, PDFString } from "@cantoo/pdf-lib";
import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import { num } from "../number.ts";
import type { WideFace } from "./face.ts";
import { openFace, type WideFile } from "./faces.ts";
import { Outlines } from "./outlines.ts";

/** A font that can be added to any number of PDFs. */
export interface WideFont {
  file: WideFile;
  face: WideFace;
  outlines: Outlines;
}

/** Opens fonts for a thread. They are read once, because this takes as long as making several documents. */
export class WideFonts {
  readonly #opened = new Map<WideFile, Promise<WideFont>>();

  open(file: WideFile): Promise<WideFont> {
    let font = this.#opened.get(file);
    if (font === undefined) this.#opened.set(file, font = readFont(file));
    return font;
  }
}

async function readFont(file: WideFile): Promise<WideFont> {
  const bytes = await Deno.readFile(new URL(`./${file}.ttf`, import.meta.url));
  return { file, face: openFace(file), outlines: new Outlines(bytes) };
}

/** A flag of fonts whose characters have no standard encoding. */
const SYMBOLIC = 4;

/** The most rows of one block of a table. */
const MAX_ROWS = 100;

const hex = (glyph: number): string => glyph.toString(16).padStart(4, "0");

/** A font in a PDF, which contains the glyphs of the texts that it has shown. */
export class EmbeddedWideFont {
  readonly ref: PDFRef;
  readonly #context: PDFContext;
  readonly #font: WideFont;
  /** The characters of the glyphs, and their widths. */
  readonly #used = new Map<number, { text: string; width: number }>();

  constructor(context: PDFContext, font: WideFont) {
    this.#context = context;
    this.#font = font;
    this.ref = context.nextRef();
  }

  /** Returns the operators that show a text. */
  show(text: string, size: number): string {
    const operators: string[] = [];
    let shown = "";
    /** How far the next glyph moves, and how high it is. */
    let move = 0;
    let height = 0;
    const end = () => {
      if (shown !== "") operators.push(`[${shown}] TJ`);
      shown = "";
    };
    for (const { glyph, text: letter, advance, width, right, up } of this.#font.face.place(text)) {
      if (!this.#used.has(glyph)) this.#used.set(glyph, { text: letter, width });
      if (up !== height) {
        end();
        operators.push(`${num(up * size / 1000)} Ts`);
        height = up;
      }
      move += right;
      shown += `${move === 0 ? "" : -move}<${hex(glyph)}>`;
      move = advance - width - right;
    }
    end();
    if (height !== 0) operators.push("0 Ts");
    return operators.join(" ").replaceAll("><", "");
  }

  /** Adds the font to the PDF, once everything is drawn. */
  write(): void {
    const { file, face: { metrics }, outlines } = this.#font;
    const context = this.#context;
    const glyphs = [...this.#used.keys()].sort((a, b) => a - b);
    const program = outlines.subset(glyphs);
    const name = `${tagOf(glyphs)}+${file}`;
    const descriptor = context.register(context.obj({
      Type: "FontDescriptor",
      FontName: name,
      Flags: SYMBOLIC,
      FontBBox: metrics.box.split(" ").map(Number),
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
      W: glyphs.flatMap((glyph) => [glyph, [this.#used.get(glyph)!.width]]),
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
        ToUnicode: this.#stream(Buffer.from(this.#textOf(glyphs))),
      }),
    );
  }

  /** Returns the program that says which text each glyph stands for. */
  #textOf(glyphs: readonly number[]): string {
    const rows = glyphs.map((glyph) => {
      const text = Buffer.from(this.#used.get(glyph)!.text, "utf16le").swap16();
      return `<${hex(glyph)}> <${text.toString("hex")}>`;
    });
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
function tagOf(glyphs: readonly number[]): string {
  let hash = 0x811c9dc5;
  for (const glyph of glyphs) hash = Math.imul(hash ^ glyph, 0x01000193) >>> 0;
  let tag = "";
  for (let i = 0; i < 6; i++, hash = Math.floor(hash / 26)) {
    tag += String.fromCharCode(65 + hash % 26);
  }
  return tag;
}
