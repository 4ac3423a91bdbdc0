import { unmarked } from "../../../base/pasted.ts";

/** The longest text that {@link findSha256} reads. */
export const MAX_SHA256_INPUT = 500;

/** Other hashes that people paste, by their number of digits. */
const OTHERS: Record<number, string> = { 32: "MD5", 40: "SHA-1", 96: "SHA-384", 128: "SHA-512" };

type FoundSha256 = { ok: true; sha256: string } | { ok: false; message: string };

/**
 * Finds a SHA-256 hash in pasted text: what `sha256sum`, `certutil` or PowerShell print, in capitals,
 * with a label, or in groups as on an issued document.
 */
export function findSha256(text: string): FoundSha256 {
  const lower = unmarked(text.slice(0, MAX_SHA256_INPUT)).toLowerCase();
  const found = digitsOf(lower, 64) ?? digitsOf(lower.replace(/[\s:\p{Pd}]+/gu, ""), 64);
  if (found !== undefined) return { ok: true, sha256: found };
  const digits = lower.replace(/[\s\p{Pd}]+/gu, "");
  if (/^[\da-f]+$/.test(digits)) {
    const other = OTHERS[digits.length];
    if (other !== undefined) {
      return { ok: false, message: `This is a hash of type ${other}. Compute the SHA-256 hash.` };
    }
    return {
      ok: false,
      message: `A SHA-256 hash has 64 hexadecimal digits. This has ${digits.length}.`,
    };
  }
  return { ok: false, message: "A SHA-256 hash has 64 hexadecimal digits." };
}

/** Returns a run of exactly `count` hexadecimal digits. */
const digitsOf = (text: string, count: number): string | undefined =>
  new RegExp(`(?<![\\da-f])[\\da-f]{${count}}(?![\\da-f])`).exec(text)?.[0];
