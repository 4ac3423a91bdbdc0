/** The words of the messages with a code: the text of an SMS, and what a call says. */
import { CODE_LIFETIME_MS, type Purpose } from "./codes.ts";
import { MINUTE_MS, plural } from "../../base/time.ts";

export interface CodeSite {
  /** The host name of the trust surface, without a port. */
  host: string;
  /** The name that a call says, because a host name is hard to understand when it is read aloud. */
  name: string;
}

const LIFETIME = plural(CODE_LIFETIME_MS / MINUTE_MS, "minute");
const WARNING = "Nobody will ask you for this code.";

/** The length of one SMS in GSM-7. A longer one is sent, and paid for, as several. */
export const SEGMENT = 160;

/**
 * Returns the text of an SMS. Its last line binds the code to the site: browsers and phones fill in
 * the code only there.
 */
export function smsText(digits: string, { host }: CodeSite): string {
  const bound = `@${host} #${digits}`;
  const texts = [
    `${digits} is your code for ${host}. It is valid for ${LIFETIME}. ${WARNING}\n\n${bound}`,
    `${digits} is your code, valid for ${LIFETIME}. ${WARNING}\n\n${bound}`,
  ];
  return texts.find(({ length }) => length <= SEGMENT) ?? texts[1];
}

const ABOUT: Record<Purpose, string> = {
  sign_in: "to sign in to your record",
  confirm_number: "to confirm the number of your record",
};

/**
 * Returns what a call says: a greeting, and the digits one by one. The provider escapes it, and says it
 * twice after a key was pressed.
 */
export function spokenText(digits: string, purpose: Purpose, { name }: CodeSite): string {
  return `${greeting(purpose, name)} ${spoken(digits)} ${WARNING}`;
}

const greeting = (purpose: Purpose, name: string) =>
  `Hello, this is ${name}. Your code ${ABOUT[purpose]} is:`;

const spoken = (digits: string) => `${[...digits].join(". ")}.`;
