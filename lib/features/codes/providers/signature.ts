import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";

/** The fields of a form that Twilio posts. */
type TwilioForm = Readonly<Record<string, string>>;

/** Returns Twilio's signature of a request: base64 of an HMAC-SHA1 over its URL and sorted fields. */
export const twilioSignature = (authToken: string, url: string, form: TwilioForm): string =>
  mac(authToken, url, form).toString("base64");

/**
 * Returns whether a signature is Twilio's, in constant time.
 *
 * @param url the full URL as it was given to Twilio, built from the configuration
 * @param signature the header `X-Twilio-Signature`
 */
export function isTwilioSignature(
  authToken: string,
  url: string,
  form: TwilioForm,
  signature: string | null,
): boolean {
  if (signature === null || !/^[A-Za-z0-9+/]{27}=$/.test(signature)) return false;
  return timingSafeEqual(mac(authToken, url, form), Buffer.from(signature, "base64"));
}

function mac(authToken: string, url: string, form: TwilioForm): Buffer {
  const fields = Object.keys(form).sort().map((name) => name + form[name]).join("");
  return createHmac("sha1", authToken).update(url + fields).digest();
}
