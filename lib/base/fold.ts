/** Letters that Unicode does not decompose into a base letter and a mark. */
const BASE_LETTERS: Record<string, string> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
};

/**
 * Removes case and accents, so that `zoe` finds `Zoë` and `strasse` finds `Straße`.
 *
 * @example
 * ```ts
 * fold("ŁÓDŹ"); // "lodz"
 * ```
 */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "")
    .normalize("NFKC") // the syllables of Hangul were decomposed too
    .toUpperCase().toLowerCase()
    .replace(/[æœøłđðþ]/g, (letter) => BASE_LETTERS[letter]);
}
