/** A submission of the form, from JSON or a plain form. */
import { sleep } from "../../base/sleep.ts";
import { z } from "zod";
import { schemaOf } from "./field_schemas.ts";
import {
  bodyOfControls,
  CONTACT_FIELDS,
  type Enquiry,
  HONEYPOT,
  MIN_ELAPSED_MS,
} from "./fields.ts";

/** The validated body of `POST /api/ir/register`. */
export interface Submission {
  enquiry: Enquiry;
  challenge?: string;
  /** The time from opening the form to sending it, in milliseconds. */
  elapsedMs: number;
  honeypotFilled: boolean;
}

const enquiryFields = Object.fromEntries(
  CONTACT_FIELDS.map((field) => [field.name, schemaOf(field)]),
);

/** Returns the fields that were given, in the order of the form. */
function enquiryOf(values: Record<string, unknown>): Enquiry {
  const given = CONTACT_FIELDS.map(({ name }) => [name, values[name]])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Enquiry;
}

/** Validates the fields of an enquiry alone, for a correction. Unknown fields are ignored. */
export const enquirySchema = z.object(enquiryFields, "Send the form's fields.")
  .transform(enquiryOf);

/** Validates a registration. Unknown fields are ignored. */
export const submissionSchema = z.object({
  ...enquiryFields,
  // Invalid challenge responses are treated as missing.
  challenge: z.string().max(4096).optional().catch(undefined)
    .describe("The response of the bot challenge, if this deployment has one."),
  elapsed_ms: z.number("Send the number of milliseconds for which the form was open.").describe(
    "For how many milliseconds the form was open. A form that is sent faster than " +
      `${MIN_ELAPSED_MS} ms counts as one of a bot.`,
  ),
  [HONEYPOT]: z.unknown().optional(),
}, "Send the form's fields.").transform((body): Submission => ({
  enquiry: enquiryOf(body),
  challenge: body.challenge,
  elapsedMs: body.elapsed_ms,
  honeypotFilled: isFilled((body as Record<string, unknown>)[HONEYPOT]),
}));

const isFilled = (value: unknown) =>
  typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;

/** The form as a browser posts it without scripts: the values of its controls. */
export type FormPost = Record<string, string>;

/**
 * Converts a form post to the body that {@linkcode submissionSchema} checks. If the form was sent
 * too early, it waits first, because a browser without scripts cannot, and a person should not get
 * an error for being fast.
 *
 * The form contains the time when it was rendered. Without a valid time it does not come from our
 * page: it counts as open for 0 ms, and waiting would not help.
 *
 * @param now milliseconds since 1970
 */
export async function bodyOfFormPost(
  post: FormPost,
  now: number,
): Promise<Record<string, unknown>> {
  const elapsed = now - renderedAtOf(post);
  const wait = elapsed >= 0 && elapsed < MIN_ELAPSED_MS ? MIN_ELAPSED_MS - elapsed : 0;
  if (wait > 0) await sleep(wait);
  return {
    ...bodyOfControls(post),
    challenge: post.challenge,
    elapsed_ms: Number.isNaN(elapsed) ? 0 : elapsed + wait,
  };
}

const renderedAtOf = ({ rendered_at }: FormPost) => Date.parse(rendered_at?.slice(0, 30) ?? "");

/**
 * Returns the hidden fields for a form that is shown again after a failure. A form that may have
 * arrived keeps its key, unless that key cannot be used.
 */
export function retryFields(
  post: FormPost,
  { status, issues }: { status: number; issues?: Record<string, string> },
  now: number,
): { idempotencyKey: string; renderedAt: string } {
  const needsKey = status === 409 || issues?.idempotency_key !== undefined || !post.idempotency_key;
  const renderedAt = renderedAtOf(post);
  return {
    idempotencyKey: needsKey ? crypto.randomUUID() : post.idempotency_key,
    renderedAt: new Date(renderedAt <= now ? renderedAt : now).toISOString(),
  };
}
