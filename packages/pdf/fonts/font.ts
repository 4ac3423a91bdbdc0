/**
 * One font: shapes texts with HarfBuzz, and numbers the glyphs that a PDF shows.
 *
 * @module
 */
import { Blob, Buffer, Direction, Face, Font, GlyphClass, MetricsTag, shape } from "harfbuzzjs";
import { mirrored } from "./bidi.ts";
import { FACES, type WideFile } from "./faces.ts";
import { Outlines, type Part } from "./outlines.ts";

/** Letters, marks and other signs that are drawn together: a glyph of the PDF's font, which has several of the font's. */
export interface Glyph {
  font: WideFont;
  parts: readonly Part[];
  /** The characters that it represents. */
  text: string;
  /** Its width, and how far the next one is, in thousandths of the size. */
  width: number;
  advance: number;
  /** The same for equal glyphs of the font. */
  key: string;
}

/** A text in one font, script and direction, from left to right. */
interface Shaped {
  glyphs: Glyph[];
  /** The characters that the font cannot show, or has no place for, such as an accent that a letter does not take. */
  missing: string[];
}

/** A dotted circle, which replaces the letter that a mark lacks. */
const DOTTED_CIRCLE = 0x25cc;

/** The only one, because the memory of HarfBuzz would grow with each. */
const buffer = new Buffer();

/** A font that can be added to any number of PDFs. */
export class WideFont {
  readonly file: WideFile;
  readonly outlines: Outlines;
  /** In thousandths of the size. */
  readonly metrics: {
    ascent: number;
    descent: number;
    capHeight: number;
    /** Left, bottom, right and top. */
    box: number[];
    /** The approximate width of vertical strokes. */
    stem: number;
  };
  readonly #face: Face;
  readonly #font: Font;
  readonly #characters: ReadonlySet<number>;
  readonly #circle: number | undefined;
  /** From the units of the font to thousandths of the size. */
  readonly #scale: number;
  readonly #widths = new Map<number, number>();

  constructor(file: WideFile, bytes: Uint8Array<ArrayBuffer>) {
    this.file = file;
    this.outlines = new Outlines(bytes);
    this.#face = new Face(new Blob(bytes));
    this.#font = new Font(this.#face);
    this.#scale = 1000 / this.#face.upem;
    this.#characters = new Set(this.#face.collectUnicodes());
    this.#circle = this.#font.nominalGlyph(DOTTED_CIRCLE);
    const { ascender, descender } = this.#font.hExtents();
    const capHeight = this.#font.getMetricPositionWithFallback(MetricsTag.CAP_HEIGHT);
    const scaled = (value: number) => Math.round(value * this.#scale);
    this.metrics = {
      ascent: scaled(ascender),
      descent: scaled(descender),
      capHeight: scaled(capHeight),
      box: this.outlines.box.map(scaled),
      stem: FACES[file].stem,
    };
  }

  /** All its characters. */
  get letters(): string[] {
    return Array.from(this.#characters, (point) => String.fromCodePoint(point));
  }

  /** Returns the bottom and the top of a part of a glyph, in thousandths of the size. */
  extentOf({ glyph, up }: Part): [bottom: number, top: number] {
    const [bottom, top] = this.outlines.extentOf(glyph);
    return [(bottom + up) * this.#scale, (top + up) * this.#scale];
  }

  /** Returns whether it has a glyph for each character, or for the parts of it. */
  covers(text: string): boolean {
    for (const character of text) {
      if (this.#has(character) || UNSEEN.test(character)) continue;
      const parts = [...character.normalize("NFD")];
      if (parts.length === 1 || !parts.every((part) => this.#has(part))) return false;
    }
    return true;
  }

  /**
   * Returns the glyphs of a text in one script and direction, from left to right.
   *
   * @param language a tag such as `sr`, for letters that look different in some languages
   */
  shape(text: string, rtl: boolean, language?: string): Shaped {
    buffer.clearContents();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    buffer.setDirection(rtl ? Direction.RTL : Direction.LTR);
    if (language !== undefined) buffer.setLanguage(language);
    shape(this.#font, buffer);
    const infos = buffer.getGlyphInfos();
    const positions = buffer.getGlyphPositions();
    const starts = [...new Set(infos.map(({ cluster }) => cluster))].sort((a, b) => a - b);
    const ends = new Map(starts.map((start, i) => [start, starts[i + 1] ?? text.length]));
    const isAccented = !("script" in FACES[this.file]);
    const missing: string[] = [];
    const glyphs: Glyph[] = [];
    for (let from = 0, to = 0; from < infos.length; from = to) {
      const { cluster } = infos[from];
      while (infos[to]?.cluster === cluster) to++;
      const characters = text.slice(cluster, ends.get(cluster));
      let x = 0;
      const parts = infos.slice(from, to).map(({ codepoint: glyph }, i): Part => {
        const { xAdvance, xOffset, yOffset } = positions[from + i];
        const isLost = glyph === 0 || (glyph === this.#circle && !characters.includes("◌")) ||
          (isAccented && i > 0 && xOffset === 0 && this.#isMark(glyph));
        if (isLost && missing.at(-1) !== characters) missing.push(characters);
        x += xAdvance;
        return { glyph, right: x - xAdvance + xOffset, up: yOffset };
      });
      const advance = this.#scaled(x);
      // Kerning is between glyphs, but not what moves a glyph itself.
      const isPlain = parts.length === 1 && parts[0].right === 0;
      const width = isPlain ? this.#widthOf(parts[0].glyph) : advance;
      const [letter, marks] = rtl
        ? [Array.from(characters, mirrored).reverse().join(""), ""]
        : withoutMarks(characters);
      glyphs.push(this.#glyph(parts, letter, width, advance));
      if (marks !== "") glyphs.push(this.#glyph([], marks, 0, 0));
    }
    return { glyphs, missing };
  }

  #glyph(parts: readonly Part[], text: string, width: number, advance: number): Glyph {
    const keys = parts.map(({ glyph, right, up }) => `${glyph} ${right} ${up}`);
    return { font: this, parts, text, width, advance, key: `${keys.join()},${width},${text}` };
  }

  #has(character: string): boolean {
    return this.#characters.has(character.codePointAt(0)!);
  }

  #isMark(glyph: number): boolean {
    return this.#face.getGlyphClass(glyph) === GlyphClass.MARK;
  }

  #widthOf(glyph: number): number {
    let width = this.#widths.get(glyph);
    if (width === undefined) {
      width = this.#scaled(this.#font.glyphHAdvance(glyph));
      this.#widths.set(glyph, width);
    }
    return width;
  }

  #scaled(value: number): number {
    return Math.round(value * this.#scale * 1000) / 1000;
  }
}

/**
 * Returns characters up to their first mark, and the rest. Some programs take a glyph whose text has a mark for one
 * without a width, so from left to right these have glyphs of their own.
 */
function withoutMarks(text: string): [letter: string, marks: string] {
  const at = text.search(/(?<!^)\p{Mn}/u);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}

const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;
