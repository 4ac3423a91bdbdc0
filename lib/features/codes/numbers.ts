/** The parts of a mobile number that limits count, and the checks of its country and type. */
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { isPersonal } from "../contact/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { Channel } from "./provider.ts";

/** A number that may get codes. */
export interface CodeNumber {
  e164: string;
  /** The calling code, such as `+61`, which several countries may share. */
  dialCode: string;
  /** The number without its last four digits, which a block of numbers has in common. */
  prefix: string;
}

/** Countries whose numbers get codes, ISO 3166-1 alpha-2, for each channel. */
export type CodeCountries = Readonly<Record<Channel, readonly string[]>>;

/** Returns the parts of a number in E.164 that limits refer to. */
export function partsOf(e164: string): CodeNumber {
  const code = parsePhoneNumberFromString(e164)?.countryCallingCode ?? e164.slice(1, 4);
  return { e164, dialCode: `+${code}`, prefix: e164.slice(0, -4) };
}

/** Returns why no code may be sent to a number because of its country, or null. */
export function countryProblem(
  e164: string,
  channel: Channel,
  countries: CodeCountries,
): Failure | null {
  const parsed = parsePhoneNumberFromString(e164);
  if (parsed === undefined || !parsed.isPossible()) return invalid();
  if (parsed.country !== undefined && countries[channel].includes(parsed.country)) return null;
  // A number that does not exist has no country, although its calling code may be allowed.
  if (!parsed.isValid()) return invalid();
  const what = channel === "sms" ? "by SMS" : "by phone call";
  const message = `We do not send codes ${what} to numbers in this country.`;
  return fail("country_not_supported", { message, issues: { mobile: message } });
}

/**
 * Returns why no code may be sent to a number because of its type, or null. Numbers in the US and
 * Canada may be mobile or not, and landlines can be called, so the type need not be mobile.
 */
export function typeProblem(e164: string): Failure | null {
  const parsed = parsePhoneNumberFromString(e164);
  if (!parsed?.isValid()) return invalid();
  if (isPersonal(parsed)) return null;
  const message =
    "We do not send codes to numbers of this type. Use a mobile number or a landline.";
  return fail("number_not_supported", { message, issues: { mobile: message } });
}

function invalid(): Failure {
  const message = "This number does not exist. Check that you entered it correctly.";
  return fail("invalid_number", { message, issues: { mobile: message } });
}
