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
  /** What it stands for. */
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
 * Returns a text as it is drawn: in composed form, without what nobody can see, and with one space where
 * it has spaces or breaks lines.
 */
export const inOneLine = (text: string): string =>
  text.replace(/\p{Default_Ignorable_Code_Point}/gu, "").replace(/[\p{Cc}\p{Z}]+/gu, " ").trim()
    .normalize("NFC");

/** The letters of a font for many languages, to measure and place them. */
export class WideFace {
  readonly metrics: WideMetrics;
  readonly #characters = new Map<string, Character>();
  readonly #kerning = new Map<number, number>();

  constructor(metrics: WideMetrics) {
    this.metrics = metrics;
    const glyphs = numbers(metrics.glyphs);
    const widths = numbers(metrics.widths);
    const left = numbers(metrics.left);
    const right = numbers(metrics.right);
    for (const [i, letter] of [...metrics.characters].entries()) {
      this.#characters.set(letter, {
        text: letter,
        glyph: glyphs[i],
        width: widths[i],
        leftClass: left[i] ?? 0,
        rightClass: right[i] ?? 0,
      });
    }
    for (const pair of metrics.kerning.split(",")) {
      const [left, right, value] = numbers(pair);
      this.#kerning.set(left << 10 | right, value);
    }
  }

  /** Returns the characters, each with its accents, that the font cannot show. */
  missing(text: string): string[] {
    return [...this.#segments(text)].filter((segment) => this.#parts(segment) === undefined);
  }

  /** Returns the width of a text in points. */
  widthOf(text: string, size: number): number {
    return this.place(text).reduce((sum, { advance }) => sum + advance, 0) * size / 1000;
  }

  /** Returns the glyphs of a text. Throws for a character that the font cannot show. */
  place(text: string): Placed[] {
    const placed: Placed[] = [];
    let before: { leftClass: number; placed: Placed } | undefined;
    for (const segment of this.#segments(text)) {
      const parts = this.#parts(segment);
      if (parts === undefined) throw new Error(`The fonts have no ${JSON.stringify(segment)}.`);
      const [base, ...accents] = parts;
      if (before !== undefined) {
        before.placed.advance += this.#kerning.get(before.leftClass << 10 | base.rightClass) ?? 0;
      }
      const letter = { ...base, advance: base.width, right: 0, up: 0 };
      placed.push(letter, ...accents);
      // An accent is placed from where its letter ends without kerning.
      before = accents.length === 0 ? { leftClass: base.leftClass, placed: letter } : undefined;
    }
    return placed;
  }

  /** Looking for accents takes longer than placing letters. */
  #segments(text: string): Iterable<string> {
    return /\p{M}/u.test(text) ? segmentsOf(text) : text;
  }

  #parts(segment: string): [Character, ...Placed[]] | undefined {
    const whole = this.#characters.get(segment);
    if (whole !== undefined) return /^\p{M}/u.test(segment) ? undefined : [whole];
    const accented = this.metrics.accented[segment];
    if (accented === undefined) return undefined;
    const [letters, ...offsets] = accented.split(" ");
    const [base, ...marks] = letters;
    // Readers of the text find `i`, although a letter without a dot is drawn.
    const text = segment.normalize("NFD")[0];
    return [
      { ...this.#characters.get(base)!, text },
      ...marks.map((mark, i) => ({
        ...this.#characters.get(mark)!,
        advance: 0,
        right: Number(offsets[2 * i]),
        up: Number(offsets[2 * i + 1]),
      })),
    ];
  }
}
