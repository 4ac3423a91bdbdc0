import { z } from "zod";
import { normaliseEmail } from "../auth/email.ts";

/** What the variables are made of: each says in its error what it should be, never what it was. */

export const text = z.string().trim();

/** A name that also stands in headers of mails. */
export const oneLine = text.regex(/^[^\p{Cc}]+$/u, "one line of text");

export const wholeNumber = (what: string, max: number) =>
  text.regex(/^\d{1,9}$/, what).transform(Number).pipe(z.number().max(max, what));

/** Parts with commas between them. */
export const list = text.transform((value) =>
  value.split(",").map((part) => part.trim()).filter((part) => part !== "")
);

/** Without a slash at its end. */
export const webAddress = z.url({ protocol: /^https?$/, error: "an http or https address" })
  .transform((value) => value.replace(/\/+$/, ""));

/** Text that another schema takes apart later; what it says of the value is not repeated here. */
export const textFor = (schema: z.ZodType, what: string) =>
  text.refine((value) => schema.safeParse(value).success, what);

/** Browser origins, with commas. */
export const origins = list.pipe(
  z.array(z.string().refine(isOrigin, "origins such as https://app.example, with commas")),
);

/** Mail addresses, with commas, in the form in which they are compared. */
export const emails = list.transform((addresses, ctx) =>
  addresses.map((address) => {
    const email = normaliseEmail(address);
    if (email !== null) return email;
    ctx.addIssue({ code: "custom", message: "email addresses, with commas" });
    return z.NEVER;
  })
);

/** A secret that goes into an HTTP header as it is. */
export const headerSecret = (what: string) => text.regex(/^[\x21-\x7e]+$/, what);

/** JSON, for a schema to take further. */
export const json = (what: string) =>
  text.transform((value, ctx): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      ctx.addIssue({ code: "custom", message: what });
      return z.NEVER;
    }
  });

/** True for a browser origin in its one form. */
export function isOrigin(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) &&
    new URL(value).origin === value;
}

/** The name of a host, given alone or as a whole origin. */
export const hostnameOf = (host: string): string =>
  new URL(host.includes("://") ? host : `http://${host}`).hostname;
