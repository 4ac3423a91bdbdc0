import { withUsualForms } from "../../../base/pasted.ts";

/** The measures of a font, as `tools/wide_fonts.ts` writes them: in thousandths of its size. */
export interface WideMetrics {
  ascent: number;
  descent: number;
  capHeight: number;
  /** Left, bottom, right and top, separated by spaces. */
  box: string;
  /** The approximate width of vertical strokes. */
  stem: number;
  /** The accents are last. */
  characters: string;
  /** The number of each character's glyph, and its width. */
  glyphs: string;
  widths: string;
  /** The class of each character without the accents, if it is the left or the right one of a pair. */
  left: string;
  right: string;
  /** The classes of pairs, and by how much they move: `3 7 -20,…`. */
  kerning: string;
  /** Letters with accents that are several glyphs: these, and the accents' offsets: `B̀ -297 169`. */
  accented: Record<string, string>;
}

/** A glyph of a line of text. */
export interface Placed {
  glyph: number;
  /** Its characters. */
  text: string;
  /** The width that the font states, and how far the next glyph is, with kerning. */
  width: number;
  advance: number;
  /** Its offset to the right and up. */
  right: number;
  up: number;
}

interface Character {
  text: string;
  glyph: number;
  width: number;
  /** Its class as the left and as the right one of a pair. */
  leftClass: number;
  rightClass: number;
}

const numbers = (text: string): number[] => text.split(" ").map(Number);

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Returns the characters of a text, each with its accents. */
export const segmentsOf = (text: string): string[] =>
  Array.from(graphemes.segment(text), ({ segment }) => segment);

/**
 * Returns a text as it is drawn: in composed form, without ligatures of one character and what nobody can see,
 * and with one space where it has spaces or breaks lines.
 */
export const inOneLine = (text: string): string =>
  withUsualForms(
    text.replace(/\p{Default_Ignorable_Code_Point}/gu, "").replace(/[\p{Cc}\p{Z}]+/gu, " ").trim(),
  );

/** The letters of a font for many languages, to measure and place them. */
export class WideFace {
  readonly metrics: WideMetrics;
  readonly #characters = new Map<string, Character>();
  readonly #accents = new Map<string, Character>();
  readonly #kerning = new Map<number, number>();

  constructor(metrics: WideMetrics) {
    this.metrics = metrics;
    const glyphs = numbers(metrics.glyphs);
    const widths = numbers(metrics.widths);
    const left = numbers(metrics.left);
    const right = numbers(metrics.right);
    for (const [i, letter] of [...metrics.characters].entries()) {
      const letters = /\p{M}/u.test(letter) ? this.#accents : this.#characters;
      letters.set(letter, {
        text: letter,
        glyph: glyphs[i],
        width: widths[i],
        leftClass: left[i] ?? 0,
        rightClass: right[i] ?? 0,
      });
    }
    for (const pair of metrics.kerning === "" ? [] : metrics.kerning.split(",")) {
      const [left, right, value] = numbers(pair);
      this.#kerning.set(left << 10 | right, value);
    }
  }

  /** Returns the characters, each with its accents, that the font cannot show. */
  missing(text: string): string[] {
    return Array.from(this.#segments(text)).filter((segment) => !this.#has(segment));
  }

  /** Returns whether the font can show a text. */
  covers(text: string): boolean {
    for (const segment of this.#segments(text)) if (!this.#has(segment)) return false;
    return true;
  }

  /** Returns the width of a text in points. Throws for a character that the font cannot show. */
  widthOf(text: string, size: number): number {
    let width = 0;
    let before: Character | undefined;
    for (const segment of this.#segments(text)) {
      const letter = this.#characters.get(segment);
      const base = letter ?? this.#accented(segment)[0];
      width += base.width + this.#kern(before, base);
      before = letter;
    }
    return width * size / 1000;
  }

  /** Returns the glyphs of a text. Throws for a character that the font cannot show. */
  place(text: string): Placed[] {
    const placed: Placed[] = [];
    let before: Character | undefined;
    for (const segment of this.#segments(text)) {
      const letter = this.#characters.get(segment);
      const [base, ...accents] = letter === undefined ? this.#accented(segment) : [letter];
      if (before !== undefined) placed.at(-1)!.advance += this.#kern(before, base);
      placed.push({ ...base, advance: base.width, right: 0, up: 0 }, ...accents);
      // An accent is placed from where its letter ends without kerning.
      before = letter;
    }
    return placed;
  }

  /** Looking for accents takes longer than placing letters. */
  #segments(text: string): Iterable<string> {
    return /\p{M}/u.test(text) ? segmentsOf(text) : text;
  }

  #has(segment: string): boolean {
    return this.#characters.has(segment) || this.metrics.accented[segment] !== undefined;
  }

  #kern(left: Character | undefined, right: Character): number {
    return left === undefined ? 0 : this.#kerning.get(left.leftClass << 10 | right.rightClass) ?? 0;
  }

  /** Returns a letter and its accents, which are glyphs of their own. */
  #accented(segment: string): [Character, ...Placed[]] {
    const accented = this.metrics.accented[segment];
    if (accented === undefined) throw new Error(`The font has no ${JSON.stringify(segment)}.`);
    const [letters, ...offsets] = accented.split(" ");
    const [base, ...accents] = letters;
    // Readers of the text find `i`, although a letter without a dot is drawn.
    const text = base.replace("ı", "i").replace("ȷ", "j");
    return [
      { ...this.#characters.get(base)!, text },
      ...accents.map((accent, i) => ({
        ...this.#accents.get(accent)!,
        advance: 0,
        right: Number(offsets[2 * i]),
        up: Number(offsets[2 * i + 1]),
      })),
    ];
  }
}
