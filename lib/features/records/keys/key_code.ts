/**
 * The text of K2, the key that a holder shows: 128 random bits in Crockford's base32, which has no
 * letters that look like digits, so that a person can type it. For browsers and servers.
 *
 * @module
 */

import { DIGITS, readDigits } from "../../../base/crockford.ts";

const BITS = 128;
const BITS_PER_DIGIT = 5;

/** The first digit has only three bits. */
export const KEY_LENGTH = Math.ceil(BITS / BITS_PER_DIGIT);

/** Enough for a key with separators, or for a whole address that was pasted. */
export const MAX_KEY_INPUT = 500;

const KEY = new RegExp(`^[0-7][${DIGITS}]{${KEY_LENGTH - 1}}$`);

/** Returns a random key of 128 bits as text. */
export const newKey = (): string => keyFrom(crypto.getRandomValues(new Uint8Array(BITS / 8)));

/** Returns 128 bits as the text of a key, for other codes that people type. */
export function keyFrom(bytes: Uint8Array): string {
  let rest = bytes.subarray(0, BITS / 8)
    .reduce((number, byte) => number << 8n | BigInt(byte), 0n);
  let text = "";
  for (let i = 0; i < KEY_LENGTH; i++) {
    text = DIGITS[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}

/**
 * Returns the key in typed or scanned text: in any case, grouped with spaces or hyphens, with the
 * letters O, I and L for the digits that they look like, or at the end of its address.
 *
 * @returns null if the text contains no complete key
 *
 * @example
 * ```ts
 * findKey("https://trust.example/k#7hq2…");
 * ```
 */
export function findKey(text: string): string | null {
  if (text.length > MAX_KEY_INPUT) return null;
  const key = readDigits(text.slice(text.lastIndexOf("#") + 1));
  return KEY.test(key) ? key : null;
}
