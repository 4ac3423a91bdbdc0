/**
 * Pasted text contains characters that nobody sees: address books wrap numbers in marks of direction, web pages
 * and messengers put spaces of no width between groups, and spreadsheets begin files with a byte order mark.
 *
 * @module
 */

/**
 * Characters without a glyph. Braille's blank, the object replacement and the null notehead have other categories. A
 * joiner between letters of scripts that need it, as in Persian, is left: without it, the word is another one.
 */
const MARKS =
  /(?!(?<=[^\P{L}\0-\x7f]\p{M}*)[\u200c\u200d](?=[^\P{L}\0-\x7f]))[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\ufffc\u{1d159}]/gu;

/** Marks that mean nothing at the ends of a text. Joiners and variation selectors may belong to its last letter. */
const OUTER_MARKS =
  /^[\s\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+|(?<![\s\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff])[\s\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+$/gu;

const VISIBLE =
  /(?![\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\ufffc\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;
const VISIBLE_WORD =
  /(?![\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\ufffc\u{1d159}])[\p{L}\p{N}]/u;

/**
 * Returns what a person meant to enter into a field whose value has a canonical form, such as a number, an address,
 * a date, a hash or the name of a column: without invisible marks, and trimmed.
 *
 * @example
 * ```ts
 * unmarked("\u202d0491 570 006\u202c"); // "0491 570 006"
 * ```
 */
export const unmarked = (text: string): string => withoutMarks(text).trim();

/** Returns a text without invisible marks. */
export const withoutMarks = (text: string): string => text.replace(MARKS, "");

/** Returns a text for people without white space and marks at its ends. */
export const trimmed = (text: string): string => text.replace(OUTER_MARKS, "");

/** Returns whether a text has a character that people see: a letter, digit, sign or symbol. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);

/** Returns whether a text has a letter or digit that people see. */
export const hasWord = (text: string): boolean => VISIBLE_WORD.test(text);

const DIGIT = /\p{Nd}/u;

/** Returns a text with the digits of other scripts, and full-width ones, as those of ASCII. */
export const asciiDigits = (text: string): string =>
  text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0)!;
    let zero = point;
    // Unicode has the digits of each script in a row, from zero to nine.
    while (DIGIT.test(String.fromCodePoint(zero - 1))) zero--;
    return String((point - zero) % 10);
  });

/** The ligatures and the full-width and half-width forms of letters, which PDFs and some keyboards produce. */
const FORMS = /[\u3000\ufb00-\ufb06\uff01-\uffee]+/g;

/** Returns a name with the usual letters for ligatures and for full-width and half-width forms, in NFC. */
export const withUsualForms = (text: string): string =>
  text.replace(FORMS, (forms) => forms.normalize("NFKC")).normalize("NFC");
