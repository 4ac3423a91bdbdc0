/** Telephone numbers: parsing them, and which belong to people. */
import {
  type CountryCode,
  type NumberType,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from "libphonenumber-js/max";
import { asciiDigits, unmarked } from "../../base/pasted.ts";
import { DIAL_CODES } from "./fields.ts";

type Dial = typeof DIAL_CODES[number];

/** Types that do not belong to a person. Their owners earn money, or they cannot be dialled from abroad. */
const NOT_PERSONAL: ReadonlySet<NumberType> = new Set<NumberType>([
  "PREMIUM_RATE",
  "SHARED_COST",
  "TOLL_FREE",
  "PAGER",
  "VOICEMAIL",
  "UAN",
]);

/** Returns whether a number may be that of a person. */
export const isPersonal = (number: PhoneNumber): boolean => {
  const type = number.getType();
  return type === undefined || !NOT_PERSONAL.has(type);
};

/** A label that address books and signatures put before a number. */
const LABEL = /^tel:\s*/i;

/** Returns a typed number as the library reads it: it does not know `(+61)`. */
const typedNumber = (text: string): string =>
  asciiDigits(unmarked(text)).replace(LABEL, "").replace("＋", "+").replace(/\s/g, " ")
    .replace(/^[(（]\s*(\+\s*\d+)\s*[)）]/, "$1 ");

const digitsOf = (text: string): string => text.replace(/\D/g, "");

/**
 * Returns a phone number in E.164 from one that begins with `+`.
 *
 * @returns null if there is no such number
 */
export function internationalNumber(text: string): string | null {
  const typed = typedNumber(text);
  return typed.startsWith("+") ? existing(typed)?.number ?? null : null;
}

/**
 * Returns a phone number in E.164, whichever way its owner writes it: with or without the dial code, the trunk
 * prefix and the prefix for calls abroad. A text that could be another number is none.
 *
 * @param country ISO 3166-1 alpha-2, one of the dial codes' countries
 * @param number as typed
 * @returns null if there is no such number in that country, or if its area code is missing
 *
 * @example
 * ```ts
 * toE164("AU", "0412 345 678"); // "+61412345678"
 * toE164("AU", "9876 5432"); // null: the area code is missing
 * toE164("AU", "+44 7911 123456"); // null
 * ```
 */
export function toE164(country: string, number: string): string | null {
  const dial = DIAL_CODES.find((dial) => dial.country === country);
  if (dial === undefined) return null;
  const typed = typedNumber(number);
  const readings = readingsOf(typed, dial).filter((each) =>
    // Compared by code, because several countries share one. For example, numbers from Guernsey are
    // entered as British numbers.
    each !== undefined && dial.code === `+${each.countryCallingCode}` && isPersonal(each) &&
    isComplete(each, typed)
  );
  const numbers = new Set(readings.map((each) => each!.number));
  return numbers.size === 1 ? [...numbers][0] : null;
}

/** Says why a number was refused, and how to write it. */
export const noSuchNumber = ({ name, code }: Pick<Dial, "name" | "code">): string =>
  `There is no such number in ${name}. Write all of it, with the area code or ${code}.`;

/** Returns the numbers that a text can be: one of the country, or one with a dial code but without its `+`. */
function readingsOf(typed: string, { country, code }: Dial): (PhoneNumber | undefined)[] {
  const own = existing(typed, country);
  if (typed.startsWith("+")) return [own];
  const withCode = `+${typed}`;
  const dialled = /^\D*0\D*0(.*)$/s.exec(typed);
  return [
    own,
    digitsOf(typed).startsWith(code.slice(1)) ? existing(withCode) : undefined,
    dialled === null ? undefined : existing(`+${dialled[1]}`),
  ];
}

function existing(text: string, defaultCountry?: CountryCode): PhoneNumber | undefined {
  const parsed = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  return parsed?.isValid() && !parsed.ext ? parsed : undefined;
}

/**
 * Returns whether a text has all of a number. The digits of a landline that are neither written as in its country, with
 * the trunk prefix, nor with the dial code may be a local number, whose area code is missing.
 */
function isComplete(number: PhoneNumber, typed: string): boolean {
  const digits = digitsOf(typed);
  return number.getType() !== "FIXED_LINE" || typed.startsWith("+") ||
    digits === digitsOf(number.formatNational()) || digits.endsWith(number.number.slice(1));
}
