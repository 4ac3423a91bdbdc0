import { domainToUnicode } from "node:url";
import { DIAL_CODES } from "./choices.ts";

/** Always as many, so that they do not tell the length. */
const DOTS = "•••";

/**
 * An email address as it is shown: enough for its owner to know it by.
 *
 * @param email normalised
 *
 * @example
 * ```ts
 * maskEmail("ada@mail.example.org"); // "a•••@m•••.org"
 * ```
 */
export function maskEmail(email: string): string {
  const [local, host] = email.split("@");
  const domain = domainToUnicode(host) || host; // as its owner writes it
  const [first] = local;
  const [firstOfDomain] = domain;
  return `${first}${DOTS}@${firstOfDomain}${DOTS}${domain.slice(domain.lastIndexOf("."))}`;
}

/**
 * A mobile number as it is shown: the dial code and the last three digits.
 *
 * @param mobile E.164, with one of the dial codes
 *
 * @example
 * ```ts
 * maskMobile("+61412345678"); // "+61 ••• ••• 678"
 * ```
 */
export function maskMobile(mobile: string): string {
  const dial = DIAL_CODES.find(({ code }) => mobile.startsWith(code))?.code ?? "+";
  return `${dial} ${DOTS} ${DOTS} ${mobile.slice(-3)}`;
}
