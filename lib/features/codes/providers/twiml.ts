/** The longest `Twiml` parameter of Twilio's Calls API. */
export const MAX_TWIML = 4_000;

/** Australian English, because Australia is the form's default country. */
const LANGUAGE = "en-AU";

const SECONDS_TO_PRESS = 10;
const MAX_SITE_NAME = 100;

/** Escapes text for XML and removes characters that XML does not allow. */
const escapeXml = (text: string): string =>
  // deno-lint-ignore no-control-regex
  text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu, "").replace(
    /[&<>"']/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );

const say = (text: string): string => `<Say language="${LANGUAGE}">${escapeXml(text)}</Say>`;

/** Returns the TwiML of a call that says a text twice and hangs up. */
export const sayTwice = (text: string): string =>
  twiml(say(text), `<Pause length="1"/>`, say(text), "<Hangup/>");

/** Returns the TwiML of a call whose text no longer exists. */
export const sayExpired = (): string =>
  twiml(say("This code has expired. Please request a new one. Goodbye."), "<Hangup/>");

/**
 * Returns the TwiML of a call that asks for a key and then posts to a URL. An answering machine presses
 * no key, so it does not record the code.
 *
 * @param site who is calling; shortened if it is very long
 */
export function askForKey(site: string, url: string): string {
  const who = site.slice(0, MAX_SITE_NAME);
  const question = `This is ${who}, with the code that you requested. To hear it, press any key.`;
  const attributes = [
    `input="dtmf"`,
    `numDigits="1"`,
    // Otherwise # would end the input without a digit.
    `finishOnKey=""`,
    `timeout="${SECONDS_TO_PRESS}"`,
    `method="POST"`,
    `action="${escapeXml(url)}"`,
  ];
  const gather = `<Gather ${attributes.join(" ")}>${say(question)}</Gather>`;
  // Asks twice, because the first words are often lost when a call is answered.
  return twiml(gather, gather, say("No key was pressed. Goodbye."), "<Hangup/>");
}

const twiml = (...verbs: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs.join("")}</Response>`;
