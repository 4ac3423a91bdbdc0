/**
 * Opens the font files, and divides a text among the fonts that have its letters.
 *
 * @module
 */
import { brotliDecompressSync } from "node:zlib";
import { segmentsOf } from "../write/text.ts";
import { inVisualOrder, levelsOf } from "./bidi.ts";
import { type Face, FACES, type WideFile } from "./faces.ts";
import { type Glyph, WideFont } from "./font.ts";

/** How a text is drawn. */
export interface Direct {
  /** True if the text begins at the right, of which the line may be a part. */
  rtl?: boolean;
  /** The language as a tag such as `zh-Hant`, for letters that look different in some languages. */
  language?: string;
}

/** The glyphs of a line, from left to right. */
interface Line {
  glyphs: readonly Glyph[];
  /** In thousandths of the size. */
  width: number;
  /** The characters that no font can show. */
  missing: readonly string[];
  /** True if a part of it is written from right to left. */
  mixed: boolean;
}

/** The most lines that are kept. */
const MAX_LINES = 2_000;

/** Characters that stay in the font of the text before them. */
const NEUTRAL = /^[\p{Z}\p{P}]/u;

/** An accent or vowel sign without a letter. */
const isStray = (segment: string, before: string): boolean =>
  /^\p{Z}\p{M}/u.test(segment) || (/^\p{M}/u.test(segment) && /(^|\p{Z})$/u.test(before));

/** The scripts of one font that are shaped apart. */
const ALPHABETS = [/\p{sc=Latn}/u, /\p{sc=Grek}/u, /\p{sc=Cyrl}/u];

const HAN = /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}]/u;
const KANA = /[\p{sc=Hira}\p{sc=Kana}]/u;

const faceOf = (file: WideFile): Face => FACES[file];

const SCRIPTS = (Object.keys(FACES) as WideFile[]).filter((file) =>
  faceOf(file).script !== undefined && !file.startsWith("Han-")
);

/** A part of a text in one font, script and direction. */
interface Run {
  font: WideFont;
  level: number;
  script: number;
  start: number;
  end: number;
}

/** The fonts of a thread, which are opened when a text needs them, and the lines that they have laid out. */
export class WideFonts {
  readonly #opened = new Map<WideFile, WideFont>();
  /** By fonts, direction and language, then by text. */
  readonly #lines = new Map<string, Map<string, Line>>();
  #kept = 0;

  open(file: WideFile): WideFont {
    let font = this.#opened.get(file);
    if (font === undefined) {
      const bytes = Deno.readFileSync(new URL(`./${file}.ttf.br`, import.meta.url));
      font = new WideFont(file, new Uint8Array(brotliDecompressSync(bytes)));
      this.#opened.set(file, font);
    }
    return font;
  }

  /**
   * Lays out a text in one line.
   *
   * @param files the fonts for Latin, Greek and Cyrillic: the first one that has all its letters, or the last one.
   * Other scripts have fonts of their own.
   */
  line(files: readonly WideFile[], text: string, direct: Direct = {}): Line {
    return this.#line(this.#linesOf(files, direct), files, text, direct);
  }

  /** Returns the width of a text in thousandths of the size: that of its words, which are kept. */
  widthOf(files: readonly WideFile[], text: string, direct: Direct = {}): number {
    const lines = this.#linesOf(files, direct);
    let width = 0;
    for (let start = 0, end = 0; end !== -1; start = end) {
      end = text.indexOf(" ", start + 1); // A word begins with its space.
      const word = text.slice(start, end === -1 ? undefined : end);
      width += this.#line(lines, files, word, direct).width;
    }
    return width;
  }

  #linesOf(files: readonly WideFile[], { rtl = false, language = "" }: Direct): Map<string, Line> {
    const key = `${files.join()} ${rtl ? "rtl" : "ltr"} ${language}`;
    let lines = this.#lines.get(key);
    if (lines === undefined) this.#lines.set(key, lines = new Map());
    return lines;
  }

  #line(
    lines: Map<string, Line>,
    files: readonly WideFile[],
    text: string,
    { rtl = false, language }: Direct,
  ): Line {
    let line = lines.get(text);
    if (line !== undefined) return line;
    for (const file of files) {
      line = this.#layOut(this.open(file), text, rtl, language);
      if (line.missing.length === 0) break;
    }
    if (this.#kept++ >= MAX_LINES) {
      this.#lines.clear();
      this.#kept = 1;
    }
    lines.set(text, line!);
    return line!;
  }

  #layOut(wide: WideFont, text: string, rtl: boolean, language: string | undefined): Line {
    const { runs, missing } = this.#runsOf(wide, text, rtl, language);
    const glyphs: Glyph[] = [];
    for (const { font, level, start, end } of inVisualOrder(runs)) {
      const shaped = font.shape(text.slice(start, end), level % 2 === 1, language);
      glyphs.push(...shaped.glyphs);
      missing.push(...shaped.missing);
    }
    return {
      glyphs,
      width: glyphs.reduce((sum, { advance }) => sum + advance, 0),
      missing,
      mixed: runs.some(({ level }) => level % 2 === 1),
    };
  }

  #runsOf(wide: WideFont, text: string, rtl: boolean, language: string | undefined) {
    const levels = levelsOf(text, rtl);
    const scripts = this.#scriptsFor(text, language);
    const runs: Run[] = [];
    const missing: string[] = [];
    let start = 0;
    for (const segment of segmentsOf(text)) {
      const end = start + segment.length;
      const level = levels[start];
      const last = runs.at(-1);
      const font = NEUTRAL.test(segment) && last?.level === level && last.font.covers(segment)
        ? last.font
        : wide.covers(segment)
        ? wide
        : this.#scriptFont(scripts, segment);
      if (font === undefined || isStray(segment, text.slice(0, start))) missing.push(segment);
      else {
        const own = ALPHABETS.findIndex((alphabet) => alphabet.test(segment));
        const script = own === -1 ? last?.script ?? own : own;
        const goesOn = last?.font === font && last.level === level && last.end === start &&
          (last.script === script || last.script === -1);
        if (goesOn) Object.assign(last, { end, script });
        else runs.push({ font, level, script, start, end });
      }
      start = end;
    }
    return { runs, missing };
  }

  #scriptFont(scripts: readonly WideFile[], segment: string): WideFont | undefined {
    const file = scripts.find((file) =>
      faceOf(file).script!.test(segment) && this.open(file).covers(segment)
    );
    return file && this.open(file);
  }

  /** Returns the fonts of scripts, those for Han in the order in which they suit a text. */
  #scriptsFor(text: string, language: string | undefined): readonly WideFile[] {
    const han = Array.from(text).filter((character) => HAN.test(character)).join("");
    if (han === "") return SCRIPTS;
    const files = hanFiles(KANA.test(han) ? "ja" : language);
    // A name should not change its style between two characters.
    const best = files.find((file) => this.open(file).covers(han));
    return [...best === undefined ? [] : [best], ...files, ...SCRIPTS];
  }
}

/** Returns the fonts for Han, that of a language first. */
function hanFiles(language = ""): WideFile[] {
  if (/^ja\b/i.test(language)) return ["Han-Japanese", "Han-Traditional", "Han-Simplified"];
  // Korea writes Han as Taiwan does, more than as others do.
  if (/^(zh\b.*\b(hant|tw|hk|mo)\b|ko\b|yue\b)/i.test(language)) {
    return ["Han-Traditional", "Han-Japanese", "Han-Simplified"];
  }
  return ["Han-Simplified", "Han-Traditional", "Han-Japanese"];
}
