/**
 * Makes API keys, and recognises them in other text.
 *
 * A key is `gh_live_` or `gh_test_`, 32 random digits in base62, and a checksum of six digits. GitHub's
 * tokens have the same parts, so scanners of source code know how to check them.
 *
 * @module
 */
import { crc32 } from "node:zlib";

/** The modes of keys. Test keys issue documents that nobody receives. */
export const KEY_MODES = ["live", "test"] as const;
export type KeyMode = (typeof KEY_MODES)[number];

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 190 random bits, which nobody can guess. */
const RANDOM_DIGITS = 32;
const CHECKSUM_DIGITS = 6;

/** Finds keys in other text, such as a URL: 32 digits and the checksum. `docs/issuers.md` gives it to scanners. */
export const KEY_PATTERN = /\bgh_(?:live|test)_[0-9A-Za-z]{38}\b/;
/** Every encoded ASCII character. Other encodings, and malformed ones, cannot be part of a key. */
const ENCODED = /%([0-7][0-9A-F])/gi;
const WHOLE_KEY = new RegExp(`^${KEY_PATTERN.source}$`);

/** Returns a new key of a mode. */
export function newKey(mode: KeyMode): string {
  const start = `gh_${mode}_${randomDigits(RANDOM_DIGITS)}`;
  return start + checksumOf(start);
}

/** Returns whether a text has the form of a key, and its checksum is right. */
export function isKey(text: string): boolean {
  const start = text.slice(0, -CHECKSUM_DIGITS);
  return WHOLE_KEY.test(text) && checksumOf(start) === text.slice(-CHECKSUM_DIGITS);
}

/** Returns the CRC-32 of a text in base62, with leading zeros. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_DIGITS; i++) {
    digits = DIGITS[rest % DIGITS.length] + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

/** Returns random digits, each with the same probability: bytes that do not fit are left out. */
function randomDigits(count: number): string {
  const fitting = 256 - 256 % DIGITS.length;
  let digits = "";
  while (digits.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(2 * count))) {
      if (byte < fitting && digits.length < count) digits += DIGITS[byte % DIGITS.length];
    }
  }
  return digits;
}

/** Returns whether a URL contains a key, as it is or with encoded characters. */
export const hasKey = (url: string): boolean =>
  [url, url.replace(ENCODED, (_, code) => String.fromCharCode(parseInt(code, 16)))]
    .some((text) => KEY_PATTERN.test(text));
