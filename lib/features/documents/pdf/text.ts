import { formatDocumentId, parseDocumentId } from "../ids.ts";

/** The characters of the fonts that every viewer has: Windows-1252 without controls. */
const PRINTABLE = new Set(
  new TextDecoder("windows-1252")
    .decode(Uint8Array.from({ length: 256 }, (_, code) => code))
    .replace(/[\p{Cc}\u00ad]/gu, ""),
);

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
 * left out: `Győr` becomes `Gyor`.
 *
 * @returns null if the text has characters of another script
 */
export function printable(text: string): string | null {
  let line = "";
  for (const letter of text.normalize("NFC").replace(/[\p{Cc}\p{Z}]+/gu, " ").trim()) {
    if (/\p{Cf}/u.test(letter)) continue;
    const parts = PRINTABLE.has(letter)
      ? letter
      : SIMILAR[letter] ?? letter.normalize("NFKD").replace(/\p{M}/gu, "");
    for (const part of parts) {
      if (!PRINTABLE.has(part)) return null;
      line += part;
    }
  }
  return line;
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
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const letter of word) {
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

/** Returns text in groups of four characters: `3f5a 9c01`. */
export const inFours = (text: string): string => text.match(/.{1,4}/g)?.join(" ") ?? "";

/** Returns an address as people can type it, with the document's id in groups of four. */
export const printedAddress = (url: string): string =>
  url.replace(/[^/]+(?=\/\d+$)/, (part) => {
    const id = parseDocumentId(part);
    return id === null ? part : formatDocumentId(id);
  });

/** Returns how an address has to begin: `https://trust.example/`. */
export const addressStart = (url: string): string => `${url.split("/", 3).join("/")}/`;
