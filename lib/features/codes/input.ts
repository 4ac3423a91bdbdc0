/** The request and response formats of the endpoints that send and check a code. */
import { z } from "zod";
import { DIAL_CODES, internationalNumber, noSuchNumber, toE164 } from "../contact/mod.ts";
import { PURPOSES } from "./codes.ts";

const MAX_TYPED = 40;
const NO_NUMBER = "Enter a mobile number with the dial code of its country.";

/** A number as a form sends it, or in E.164. The output is in E.164. */
const mobile = z.union([
  z.string().max(MAX_TYPED),
  z.object({ country: z.string(), number: z.string().max(MAX_TYPED) }),
], NO_NUMBER).transform((typed, ctx): string => {
  const dial = typeof typed === "string"
    ? undefined
    : DIAL_CODES.find(({ country }) => country === typed.country);
  const e164 = typeof typed === "string"
    // A number that does not exist has an error of its own.
    ? internationalNumber(typed) ?? /^\+[1-9]\d{6,14}$/.exec(typed)?.[0]
    : toE164(typed.country, typed.number);
  if (e164) return e164;
  ctx.addIssue({ code: "custom", message: dial === undefined ? NO_NUMBER : noSuchNumber(dial) });
  return z.NEVER;
});

/** The body of `POST /api/auth/otp/send`. Without a number, the last sign-in code is sent again. */
export const sendSchema = z.object({
  method: z.enum(["sms", "voice"], "Choose sms or voice."),
  purpose: z.enum(PURPOSES, "Choose sign_in or confirm_number.").default("sign_in").describe(
    "`sign_in` to a record whose number is confirmed, or `confirm_number` of the open record.",
  ),
  mobile: mobile.optional().describe(
    "The number to sign in with. Without it, the last code is sent again.",
  ),
});

/** The response of `POST /api/auth/otp/send`. */
export const sentSchema = z.object({
  success: z.literal(true),
  to: z.string().describe("The number, masked."),
  method: z.enum(["sms", "voice"]),
  retry_after_seconds: z.int().describe("When another code for this number can be requested."),
  page: z.string().describe("The path of the page where people enter the code."),
});

/** The body of `POST /api/auth/otp/verify`. */
export const verifySchema = z.object({
  code: z.string("Enter the code.").max(100, "Enter the six digits of the code."),
  purpose: z.enum(PURPOSES, "Choose sign_in or confirm_number.").default("sign_in"),
});

/** Converts a form that a browser posted without scripts to the body of the endpoint. */
export function bodyOfCodeForm(
  { mobile_country: country, mobile_number: number, ...fields }: Record<string, string>,
): Record<string, unknown> {
  return number === undefined ? fields : { ...fields, mobile: { country, number } };
}
