/** The words of texts, and the tokens by which searches in the store find them. */
import { fold } from "./fold.ts";

/** The number of letters at the beginning of a word that find it. */
const BEGINNING = 3;
/** Enough for a name and an organisation. A commit has at most 80 KiB of keys, some of them those of several records. */
const MOST_TOKENS = 30;

/** Scripts in which one character can be a family name. */
const SYLLABIC = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const APOSTROPHES = /['’ʼ`]/g;
const SEPARATORS = /[^\p{L}\p{N}]+/u;

/** Returns the words of a text without case and accents. `O'Brien-Łoś` has `obrien` and `los`. */
export const wordsOf = (text: string): string[] => [
  ...new Set(fold(text).replace(APOSTROPHES, "").split(SEPARATORS).filter((word) => word !== "")),
];

/** How a word is looked up: as a whole, or by its beginning. */
export type WordToken = `=${string}` | `^${string}`;

/** Returns the lengths of the beginnings by which a word is found. */
const beginnings = (word: string): number[] =>
  SYLLABIC.test(word) ? [1, 2, BEGINNING] : [BEGINNING];

const firstLetters = (word: string, count: number) => [...word].slice(0, count).join("");

/**
 * Returns the tokens by which the words of texts are found, those of the first texts if there are more than a
 * number of tokens.
 */
export const tokensOf = (texts: readonly string[], most = MOST_TOKENS): Set<WordToken> =>
  new Set(
    wordsOf(texts.join(" ")).flatMap((word): WordToken[] => [
      `=${word}`,
      ...beginnings(word).filter((count) => [...word].length >= count)
        .map((count): WordToken => `^${firstLetters(word, count)}`),
    ]).slice(0, most),
  );

/** Returns the token that a word of a search looks for first. */
export const tokenOf = (word: string): WordToken =>
  beginnings(word).includes([...word].length) ? `^${word}` : `=${word}`;

/** Returns the token for a word that no record has as a whole; null if it has none. */
export const beginningOf = (word: string): WordToken | null =>
  [...word].length > BEGINNING ? `^${firstLetters(word, BEGINNING)}` : null;

/** Returns whether a word is too short to be found by its beginning. */
export const isShort = (word: string): boolean => [...word].length < Math.min(...beginnings(word));

/** Returns whether a search for these words is selective enough: one of them has three letters. */
export const areSearchable = (words: readonly string[]): boolean =>
  words.some((word) => !isShort(word));

/** Returns whether texts have words that begin with those of a search. */
export function haveWords(texts: readonly string[], searched: readonly string[]): boolean {
  const words = wordsOf(texts.join(" "));
  return searched.every((word) => words.some((each) => each.startsWith(word)));
}
