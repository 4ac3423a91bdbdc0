/** Schemas for values of environment variables that many settings share, such as URLs, lists and secrets. */
import { z } from "zod";
import { decodeBase64Url } from "../../base/encoding.ts";
import { integer } from "../http/schemas.ts";
import { unmarked } from "../../base/pasted.ts";
import { emailSchema } from "../../base/email.ts";
import { isLoopback } from "../../base/loopback.ts";

// The messages of these schemas say what a value should be and never repeat the value, which may be
// secret.

export const text = z.string().overwrite(unmarked);

/** A name that is also used in mail headers. */
export const oneLine = text.regex(/^[^\p{Cc}]+$/u, "one line of text");

export const wholeNumber = (what: string, max: number) => text.pipe(integer(0, max, what));

export const list = text.transform((value) =>
  value.split(",").map((part) => part.trim()).filter((part) => part !== "")
);

/** A URL, without its trailing slash. */
export const httpUrl = z.url({ protocol: /^https?$/, error: "an http or https URL" })
  .transform((value) => value.replace(/\/+$/, ""));

/** Returns whether secrets may be sent to a URL: https, or http on this machine. */
export function isSecureUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || protocol === "http:" && isLoopback(hostname);
}

/** Text that `schema` parses later. Its own messages are not used, because they may repeat the value. */
export const textFor = (schema: z.ZodType, what: string) =>
  text.refine((value) => schema.safeParse(value).success, what);

export const origins = list.pipe(
  z.array(z.string().refine(isOrigin, "origins such as https://app.example, separated by commas")),
);

export const email = emailSchema({ malformed: "an email address" });

/** The pages are in English, so their dates are too. */
export const dateLocale = text.refine(
  (value) =>
    /^en-[A-Z]{2}$/.test(value) && Intl.DateTimeFormat.supportedLocalesOf(value).length > 0,
  "English with a region, such as en-GB, en-US or en-AU",
);

/** Comma-separated email addresses, normalised. */
export const emails = list.pipe(
  z.array(emailSchema({ malformed: "email addresses, separated by commas" })),
);

/** A secret that is sent in an HTTP header. */
export const headerSecret = (what: string) => text.regex(/^[\x21-\x7e]+$/, what);

/** The form of a secret, as messages state it. */
export const SECRET = "32 random bytes in base64url, or several such values, separated by commas";

export const secrets = list.pipe(z.array(z.string().regex(/^[\w-]{43}$/, SECRET)))
  .transform((values) => values.map(decodeBase64Url));

/** The fingerprints of secrets, as the console and refused starts show them. */
export const givenUpSecrets = list.pipe(
  z.array(z.string().regex(/^[\w-]{8}$/, "fingerprints of 8 characters, separated by commas")),
);

export const json = (what: string) =>
  text.transform((value, ctx): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      ctx.addIssue({ code: "custom", message: what });
      return z.NEVER;
    }
  });

/** Returns whether a value is a browser origin in canonical form. */
export function isOrigin(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) &&
    new URL(value).origin === value;
}

export const hostnameOf = (host: string): string =>
  new URL(host.includes("://") ? host : `http://${host}`).hostname;

const WEBHOOK_SECRETS =
  "a webhook's secret of 16 to 256 characters, or several, separated by commas";

/** The secrets with which others sign what they send us. A secret has 16 characters without its prefix. */
export const webhookSecrets = list.pipe(
  z.array(z.string().regex(/^(?!whsec_.{0,15}$)[\x21-\x7e]{16,256}$/, WEBHOOK_SECRETS))
    .max(5, WEBHOOK_SECRETS),
);
