/** Masks account and card numbers in texts that come from the bank. */
import { asciiDigits, withUsualForms } from "../../base/pasted.ts";

/** The characters that people, statements and forms put between the groups of a number. */
const GAP = String.raw`[\s\p{Pd}\p{Cf}._/]{0,3}`;
const NUMBER = new RegExp(String.raw`\d(?:${GAP}\d){8,}`, "gu");
const DATE = String
  .raw`(?:(?:19|20)\d\d-(?:0[1-9]|1[0-2])-[0-3]\d|[0-3]?\d[./][01]?\d[./](?:19|20)?\d\d)`;
/** A day or two, and an hour. */
const DATES = new RegExp(String.raw`^${DATE}(?:\D+${DATE})?(?:\s\d\d)?$`, "u");
const IBAN = new RegExp(
  String.raw`(?<![\p{L}\p{N}])[a-z]{2}${GAP}\d\d(?:${GAP}[a-z\d]){11,30}(?![\p{L}\p{N}])`,
  "giu",
);
const SHORTEST_IBAN = 15;
/** Texts of ASCII, in which digits and letters have one form each. */
const ASCII = /^[ -~]*$/;
/** Matches part of every number and every IBAN in such a text: nine digits, or the beginning of an IBAN. */
const MAY_HAVE_NUMBER = /\d(?:\D*\d){8}|(?<![a-z\d])[a-z]{2}[ ._/-]{0,3}\d\d/i;

/**
 * Masks the numbers of accounts and cards that people typed into names and notes, whatever their groups and digits
 * look like: the known numbers, IBANs, and any nine or more digits that are not dates. The last four characters are
 * kept.
 */
export function maskNumbers(text: string, ...known: string[]): string {
  // Most names and notes: the patterns of numbers take ten times as long.
  if (known.length === 0 && ASCII.test(text) && !MAY_HAVE_NUMBER.test(text)) return text;
  const readable = withUsualForms(asciiDigits(text));
  const digits = digitsOf(readable);
  // Most texts contain none of the numbers, and compiling a pattern takes a millisecond.
  return known.filter((number) => number.length > 4 && digits.includes(digitsOf(number)))
    .reduce((rest, number) => rest.replaceAll(grouped(number), mask(number)), readable)
    .replaceAll(IBAN, maskIban)
    .replaceAll(NUMBER, (digits) => DATES.test(digits) ? digits : mask(digits));
}

/** Returns whether an id or URL of the bank may have the number of an account. Groups of digits are usual there. */
export const hasNumber = (text: string): boolean => /\d{9,}/.test(text);

const mask = (number: string) => `••${lettersOf(number).slice(-4)}`;

const lettersOf = (text: string) => text.replaceAll(/[^a-z\d]/gi, "");

const digitsOf = (text: string) => text.replaceAll(/\D/g, "");

/** Returns a pattern of a number in any groups. */
const grouped = (number: string): RegExp => new RegExp([...lettersOf(number)].join(GAP), "giu");

/** Masks the IBAN at the beginning of a text that may have further words. */
function maskIban(text: string): string {
  for (let end = text.length; end > 0; end = text.slice(0, end).search(/[^a-z\d]+[a-z\d]*$/i)) {
    const iban = lettersOf(text.slice(0, end));
    if (iban.length < SHORTEST_IBAN) break;
    if (isIban(iban)) return mask(iban) + text.slice(end);
  }
  return text;
}

/** Returns whether the check digits of an IBAN are right (ISO 13616). */
function isIban(iban: string): boolean {
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.toLowerCase()
    .replaceAll(/[a-z]/g, (letter) => String(parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n;
}
