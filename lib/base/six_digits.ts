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
/** The zeros of ASCII, of the two sets of Arabic-Indic digits, and of full-width digits. */
const ZEROS = [0x30, 0x660, 0x6f0, 0xff10];

/**
 * Returns the six digits of a code as typed or pasted: spaces and dashes are ignored, and
 * Arabic-Indic and full-width digits accepted. Null if there are not exactly six.
 */
export function digitsOf(typed: string): string | null {
  if (typed.length > MAX_TYPED) return null;
  let digits = "";
  for (const char of typed.replace(/[\s\p{Pd}\p{Cf}]/gu, "")) {
    const point = char.codePointAt(0)!;
    const zero = ZEROS.find((zero) => point >= zero && point <= zero + 9);
    if (zero === undefined) return null;
    digits += point - zero;
  }
  return digits.length === 6 ? digits : null;
}
