import { Blob, Buffer, Direction, Face, Font, GlyphClass, MetricsTag, shape } from "harfbuzzjs";
import { FACES, type WideFile } from "./faces.ts";
import { Outlines } from "./outlines.ts";

/** A glyph of a line of text. Lengths are in thousandths of the size. */
export interface Glyph {
  font: WideFont;
  glyph: number;
  /** Its characters; empty for all but the first glyph of characters that are drawn together. */
  text: string;
  /** The width of its characters, without kerning. */
  width: number;
  /** How far the next glyph is. */
  advance: number;
  /** Its offset to the right and up. */
  right: number;
  up: number;
}

/** A text in one font, script and direction, from left to right. */
export interface Shaped {
  glyphs: Glyph[];
  /** The characters that the font cannot show, or has no place for, such as an accent that a letter does not take. */
  missing: string[];
}

/** A dotted circle stands for the letter that a mark lacks. */
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
  /** A glyph without an outline. */
  readonly #space: number;
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
    this.#space = this.#font.nominalGlyph(0x20)!;
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

  /** Returns the bottom and the top of a glyph, in thousandths of the size. */
  extentOf(glyph: number): [bottom: number, top: number] {
    const [bottom, top] = this.outlines.extentOf(glyph);
    return [bottom * this.#scale, top * this.#scale];
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
    const clusters = new Map<number, { end: number; glyphs: number; advance: number }>();
    for (const [i, { cluster }] of infos.entries()) {
      const { glyphs, advance } = clusters.get(cluster) ?? { glyphs: 0, advance: 0 };
      const sum = advance + positions[i].xAdvance;
      clusters.set(cluster, { end: text.length, glyphs: glyphs + 1, advance: sum });
    }
    const starts = [...clusters.keys()].sort((a, b) => a - b);
    for (const [i, start] of starts.slice(1).entries()) clusters.get(starts[i])!.end = start;
    const isAccented = !("script" in FACES[this.file]);
    const missing: string[] = [];
    const glyphs: Glyph[] = [];
    let marks = "";
    for (const [i, { codepoint: glyph, cluster }] of infos.entries()) {
      const { xAdvance, xOffset, yOffset } = positions[i];
      const { end, glyphs: parts, advance } = clusters.get(cluster)!;
      const characters = text.slice(cluster, end);
      const isFirst = infos[i - 1]?.cluster !== cluster;
      const isLost = glyph === 0 || (glyph === this.#circle && !characters.includes("◌")) ||
        (isAccented && !isFirst && xOffset === 0 && this.#isMark(glyph));
      if (isLost && missing.at(-1) !== characters) missing.push(characters);
      let own = isFirst ? characters : marks;
      marks = "";
      if (isFirst && !rtl) [own, marks] = withoutMarks(characters);
      const right = this.#scaled(xOffset);
      const width = parts === 1 ? this.#widthOf(glyph) : isFirst ? this.#scaled(advance) : 0;
      const up = this.#scaled(yOffset);
      glyphs.push({
        font: this,
        glyph,
        text: own,
        width,
        advance: this.#scaled(xAdvance),
        right,
        up,
      });
      if (marks === "" || infos[i + 1]?.cluster === cluster) continue;
      glyphs.push({
        font: this,
        glyph: this.#space,
        text: marks,
        width: 0,
        advance: 0,
        right: 0,
        up,
      });
      marks = "";
    }
    return { glyphs, missing };
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
 * without a width, so these have glyphs of their own.
 */
function withoutMarks(text: string): [base: string, marks: string] {
  const at = text.search(/(?<!^)\p{Mn}/u);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}

const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;
