import { z } from "zod";
import { toE164 } from "../contact/mod.ts";
import { PURPOSES } from "./codes.ts";

const MISSING = "Enter your mobile number.";
const MAX_TYPED = 40;

/** A number as a form sends it, or in E.164. The output is in E.164. */
const mobile = z.union([
  z.string().max(MAX_TYPED).transform((typed) => typed.replace(/[\s\p{Pd}().]/gu, ""))
    .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/)),
  z.object({
    country: z.string().max(2),
    number: z.string().trim().min(1).max(MAX_TYPED),
  }).transform(({ country, number }, ctx) => {
    const e164 = toE164(country, number);
    if (e164 !== null) return e164;
    ctx.addIssue({ code: "custom", message: MISSING });
    return z.NEVER;
  }),
], "Enter a mobile number with the dial code of its country.");

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
