import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js";
import { DIAL_CODES } from "./choices.ts";

/**
 * A mobile number in the one form in which it is recorded, E.164.
 *
 * @param country one of the dial codes' countries, ISO 3166-1 alpha-2
 * @param number as it was typed, with or without the dial code
 * @returns null where the country has no such number: another dial code, too few digits, too many
 *
 * @example
 * ```ts
 * toE164("AU", "0412 345 678"); // "+61412345678"
 * toE164("AU", "+44 7911 123456"); // null
 * ```
 */
export function toE164(country: string, number: string): string | null {
  const dial = DIAL_CODES.find((dial) => dial.country === country);
  if (dial === undefined) return null;
  const parsed = parsePhoneNumberFromString(number, {
    defaultCountry: country as CountryCode,
    extract: false,
  });
  // By code and not by country, for several share one: a number of Guernsey is typed as British.
  const possible = parsed !== undefined && parsed.isPossible() && !parsed.ext &&
    dial.code === `+${parsed.countryCallingCode}`;
  return possible ? parsed.number : null;
}
