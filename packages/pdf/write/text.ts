/**
 * Texts as a PDF can show them: in one line, with the letters that fonts have, and wrapped.
 *
 * @module
 */
import { withoutMarks, withUsualForms } from "../../../lib/base/pasted.ts";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Returns the characters of a text, each with its accents. */
export const segmentsOf = (text: string): string[] =>
  Array.from(graphemes.segment(text), ({ segment }) => segment);

/** All but the full-width punctuation of texts in Han, which has room around it. */
const OTHERS = /[^\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+/g;

/**
 * Returns a text as it is drawn: in composed form, without ligatures of one character and what nobody can see,
 * and with one space where it has spaces or breaks lines. Joiners stay where they change how letters look.
 */
export const inOneLine = (text: string): string =>
  withoutMarks(text).replace(OTHERS, withUsualForms).replace(/[\p{Cc}\p{Z}]+/gu, " ").trim();

/** Returns whether a text begins at the right: whether its first letter is of a script that does. */
export const isRightToLeft = (text: string): boolean =>
  /^\P{L}*[\p{sc=Arab}\p{sc=Hebr}]/u.test(text);

/** Letters and punctuation that Unicode does not decompose. */
const SIMILAR: Record<string, string> = {
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ħ: "h",
  Ħ: "H",
  ı: "i",
  ŋ: "n",
  Ŋ: "N",
  ŧ: "t",
  Ŧ: "T",
  ĸ: "k",
  ș: "s",
  ț: "t",
  ẞ: "SS",
  "\u2010": "-",
  "\u2011": "-",
  "\u2012": "–",
  "\u2015": "—",
  "\u2212": "-",
  "\u2032": "'",
  "\u2033": '"',
};

/**
 * Returns a text in one line with the characters that can be printed. Accents that the fonts lack are
 * left out: with the letters of Windows-1252, `Győr` becomes `Gyor`.
 *
 * @param covers whether the fonts have a letter with its accents
 * @returns null if the text has characters of another script
 */
export function printable(
  text: string,
  covers: (letter: string) => boolean,
): string | null {
  let line = "";
  for (const letter of segmentsOf(inOneLine(text))) {
    if (/\p{Cf}/u.test(letter)) continue;
    const parts = covers(letter)
      ? [letter]
      : SIMILAR[letter] ?? letter.normalize("NFKD").replace(/\p{M}/gu, "");
    for (const part of parts) {
      if (!covers(part)) return null;
      line += part;
    }
  }
  return line;
}

/** Scripts without spaces between words. */
const WITHOUT_SPACES =
  /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Characters with which no line may begin (`CLOSING`) or end (`OPENING`). */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}\p{M}ー々ゝヽぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;

const dictionary = new Intl.Segmenter("en", { granularity: "word" });

/** Returns the parts of a text between which a line may be broken. Spaces are at their beginning. */
function partsOf(text: string): string[] {
  const words = text.split(/(?= )/);
  return WITHOUT_SPACES.test(text) ? words.flatMap(partsOfWord) : words;
}

function partsOfWord(word: string): string[] {
  if (!WITHOUT_SPACES.test(word)) return [word];
  const parts: string[] = [];
  for (const { segment } of dictionary.segment(word)) {
    const last = parts.at(-1);
    const stays = last === undefined || last === " " || CLOSING.test(segment) ||
      OPENING.test(last) ||
      !(WITHOUT_SPACES.test(last) || WITHOUT_SPACES.test(segment));
    if (stays) parts.push((parts.pop() ?? "") + segment);
    else parts.push(segment);
  }
  return parts;
}

/**
 * Breaks a text into lines that fit, between words where possible.
 *
 * @param fits whether a line fits
 * @param maxLines the last of these lines ends with `…` if the text has more
 */
export function wrap(text: string, fits: (line: string) => boolean, maxLines = Infinity): string[] {
  const lines: string[] = [];
  let line = "";
  for (const part of partsOf(text)) {
    const word = part.trimStart();
    const longer = line === "" ? word : line + part;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const letter of segmentsOf(word)) {
      if (line !== "" && !fits(line + letter)) {
        lines.push(line);
        line = "";
      }
      line += letter;
    }
  }
  lines.push(line);
  if (lines.length <= maxLines) return lines;
  let last = lines[maxLines - 1];
  while (last !== "" && !fits(`${last}…`)) last = last.slice(0, -1);
  return [...lines.slice(0, maxLines - 1), `${last.trimEnd()}…`];
}
