/** The codes of the first and last character. */
export const FIRST_CODE = 0x20;
export const LAST_CODE = 0xff;

const CODES = new Map(
  Array.from(
    new TextDecoder("windows-1252").decode(
      Uint8Array.from({ length: LAST_CODE - FIRST_CODE + 1 }, (_, i) => FIRST_CODE + i),
    ),
    (letter, i): [string, number] => [letter, FIRST_CODE + i],
  ).filter(([letter]) => !/[\p{Cc}\u00ad]/u.test(letter)),
);

/** The characters that our fonts in PDFs have: Windows-1252 without controls. */
export const WINDOWS_1252: ReadonlySet<string> = new Set(CODES.keys());

/** Returns the code of a character, undefined if it has none. */
export const codeOf = (letter: string): number | undefined => CODES.get(letter);
