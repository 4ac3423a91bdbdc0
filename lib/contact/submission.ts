import { z } from "zod";
import { normaliseEmail, TYPED_LIMIT } from "../auth/email.ts";
import { mailAddress } from "../mail/address.ts";
import { DIAL_CODES, ENQUIRY_TYPES, FIELD_LIMITS, HONEYPOT } from "./choices.ts";
import type { EnquiryType } from "./contract.ts";
import { toE164 } from "./mobile.ts";
import { textField } from "./text_field.ts";

/**
 * What somebody entered, checked and normalised: this object is the record whose hash is made
 * (standard, "Records and their hash"). What was not given is absent.
 */
export type Enquiry = {
  name: string;
  organisation?: string;
  /** As `normaliseEmail` writes it. */
  email: string;
  /** E.164. */
  mobile?: string;
  enquiry_type: EnquiryType;
  message?: string;
};

/** The body of `POST /api/ir/register`, checked. */
export interface Submission {
  enquiry: Enquiry;
  /** The answer of the bot challenge. */
  challenge?: string;
  elapsedMs: number;
  /** Whether the field was filled that people never see. */
  trapped: boolean;
}

const NO_NAME = "Enter your name.";
const NO_EMAIL = "Enter your email address.";
const BAD_EMAIL = "This is not an email address that mail can be sent to.";

const name = textField({ limit: FIELD_LIMITS.name }).transform((name, ctx) => {
  if (name !== undefined && /[\p{L}\p{N}]/u.test(name)) return name;
  ctx.addIssue({ code: "custom", message: NO_NAME });
  return z.NEVER;
});

const email = z.string(NO_EMAIL).max(TYPED_LIMIT, BAD_EMAIL).transform((typed, ctx) => {
  const email = normaliseEmail(typed);
  if (email !== null && mailAddress.safeParse(email).success) return email;
  ctx.addIssue({ code: "custom", message: typed.trim() === "" ? NO_EMAIL : BAD_EMAIL });
  return z.NEVER;
});

const mobile = z.object(
  {
    country: z.string("Choose a dial code.").nullish(),
    number: textField({ limit: FIELD_LIMITS.mobile }),
  },
  "This should be a country and a number.",
).nullish().transform((typed, ctx) => {
  if (typed?.number === undefined) return undefined;
  const { country, number } = typed;
  const dial = DIAL_CODES.find((dial) => dial.country === country);
  const mobile = dial && toE164(dial.country, number);
  if (mobile) return mobile;
  ctx.addIssue({
    code: "custom",
    message: dial === undefined
      ? "Choose one of the dial codes."
      : `This is not a number of ${dial.name} (${dial.code}).`,
  });
  return z.NEVER;
});

/** Fields that it does not know are passed over. */
export const submissionSchema = z.object({
  name,
  organisation: textField({ limit: FIELD_LIMITS.organisation }),
  email,
  mobile,
  enquiry_type: z.enum(ENQUIRY_TYPES, `Choose one of ${ENQUIRY_TYPES.join(", ")}.`),
  message: textField({ limit: FIELD_LIMITS.message, lines: true }),
  // What cannot be an answer of the challenge is none.
  challenge: z.string().max(4096).optional().catch(undefined),
  elapsed_ms: z.number("Say how many milliseconds the form was open."),
  [HONEYPOT]: z.unknown().optional(),
}, "Send the form's fields.").transform(
  (
    { name, organisation, email, mobile, enquiry_type, message, challenge, ...more },
  ): Submission => ({
    enquiry: {
      name,
      ...organisation !== undefined && { organisation },
      email,
      ...mobile !== undefined && { mobile },
      enquiry_type,
      ...message !== undefined && { message },
    },
    challenge,
    elapsedMs: more.elapsed_ms,
    trapped: isFilled(more[HONEYPOT]),
  }),
);

const isFilled = (value: unknown) =>
  typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
