import { asciiDigits, unmarked } from "./pasted.ts";

/** Codes of six digits that people type. */
const CODES_COUNT = 1_000_000;

/** Returns six random digits. Draws again where the remainder would favour some codes. */
export function randomDigits(
  draw: () => number = () => crypto.getRandomValues(new Uint32Array(1))[0],
): string {
  const limit = 2 ** 32 - 2 ** 32 % CODES_COUNT;
  let value = draw();
  while (value >= limit) value = draw();
  return String(value % CODES_COUNT).padStart(6, "0");
}

const MAX_TYPED = 60;
/**
 * Returns the six digits of a code as typed or pasted: spaces, dashes and invisible marks are ignored, and
 * digits of other scripts accepted. Null if there are not exactly six.
 */
export function digitsOf(typed: string): string | null {
  if (typed.length > MAX_TYPED) return null;
  const digits = asciiDigits(unmarked(typed)).replace(/[\s\p{Pd}]/gu, "");
  return /^\d{6}$/.test(digits) ? digits : null;
}
