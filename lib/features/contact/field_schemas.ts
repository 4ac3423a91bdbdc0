/** How the values of the form's fields are normalised and checked. */
import { z } from "zod";
import { emailSchema } from "../../base/email.ts";
import { hasWord, isVisible, trimmed, unmarked, withUsualForms } from "../../base/pasted.ts";
import { type ContactField, DIAL_CODES } from "./fields.ts";
import { noSuchNumber, toE164 } from "./phone.ts";

/**
 * Returns the schema of a field, by its kind. Its output is the normalised value, or undefined for
 * an optional field that was left empty.
 */
export function schemaOf(field: ContactField): z.ZodType<string | undefined> {
  switch (field.kind) {
    case "line":
    case "text": {
      const lines = field.kind === "text";
      return field.missing === undefined
        ? textField(field.limit, lines)
        : requiredText(field.limit, lines, field.missing);
    }
    case "email":
      return emailField(field.missing);
    case "mobile":
      return mobileField(field.limit);
    case "choice": {
      const choice = z.enum(field.choices, `Choose one of ${field.choices.join(", ")}.`);
      return field.missing === undefined ? blankable(choice) : choice;
    }
  }
}

function refuse(ctx: z.RefinementCtx, message: string): never {
  ctx.addIssue({ code: "custom", message });
  return z.NEVER;
}

const blankable = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((typed) => typed === null || typed === "" ? undefined : typed, schema.optional());

// Lone surrogates, line and paragraph separators, and bidirectional controls, which can disguise
// text. Joiners are allowed, because names and emoji use them.
const NOT_IN_TEXT = /[\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const NOT_IN_LINE = /\p{Cc}/u;
const NOT_IN_LINES = /[^\P{Cc}\n\t]/u;

/** Decomposed letters and CRLF line breaks make text longer than its normalised form. */
const RAW_FACTOR = 4;

/**
 * More combining marks in a row than any language needs (UAX #15, stream-safe text). Normalisation
 * sorts each run of marks in quadratic time.
 */
const MARKS = /\p{M}{31}/u;

const HIDDEN = "It contains characters that cannot be shown.";
const tooLong = (limit: number) => `Use at most ${limit} characters.`;

/**
 * Returns the schema of a text. Its output is in NFC, as the standard requires for records, and
 * trimmed, with `\n` as line breaks. In one line, such as a name, ligatures and full-width and half-width forms become
 * the usual letters. Missing or null text, and text in which nothing is visible, becomes undefined.
 */
export const textField = (limit: number, lines = false) =>
  z.string(NOT_TEXT).nullish().transform(normaliseText(limit, lines)).describe(atMost(limit));

/**
 * Like {@link textField}, for text that must not be empty.
 *
 * @param unseen what is said about text in which nothing is visible, such as a mark without a letter
 */
export const nonEmptyText = (limit: number, missing: string, lines = false, unseen = missing) => {
  const normalise = normaliseText(limit, lines);
  return z.string({
    error: ({ input }) => input === null || input === undefined ? missing : NOT_TEXT,
  })
    .transform((typed, ctx) => {
      const text = normalise(typed, ctx);
      return ctx.issues.length > 0
        ? z.NEVER
        : text ?? refuse(ctx, trimmed(typed) === "" ? missing : unseen);
    }).describe(atMost(limit));
};

/** Like {@link nonEmptyText}, for text that must contain a letter or a digit that people see. */
const requiredText = (limit: number, lines: boolean, missing: string) =>
  nonEmptyText(limit, missing, lines).refine((text) => hasWord(text), missing)
    .describe(atMost(limit));

const NOT_TEXT = "This should be text.";
const atMost = (limit: number) => `At most ${limit} characters.`;

const normaliseText =
  (limit: number, lines: boolean) =>
  (typed: string | null | undefined, ctx: z.RefinementCtx): string | undefined => {
    const raw = typed ?? "";
    if (raw.length > RAW_FACTOR * limit) return refuse(ctx, tooLong(limit));
    if (MARKS.test(raw)) return refuse(ctx, HIDDEN);
    const typedLines = raw.replace(/\r\n?/g, "\n");
    const text = trimmed(lines ? typedLines.normalize("NFC") : withUsualForms(typedLines));
    if (!isVisible(text)) return undefined;
    const problem = textProblem(text, limit, lines);
    return problem === undefined ? text : refuse(ctx, problem);
  };

function textProblem(text: string, limit: number, lines: boolean): string | undefined {
  if (text.length > limit) return tooLong(limit);
  if (!lines && text.includes("\n")) return "Use one line.";
  if (NOT_IN_TEXT.test(text) || (lines ? NOT_IN_LINES : NOT_IN_LINE).test(text)) {
    return HIDDEN;
  }
}

const emailField = (missing: string | undefined) =>
  missing === undefined ? blankable(emailSchema()) : emailSchema({ missing });

const mobileField = (limit: number) =>
  z.object(
    {
      country: z.string("Choose a dial code.").nullish()
        .describe("The country of the dial code, ISO 3166-1 alpha-2."),
      number: z.string(NOT_TEXT).nullish().transform((typed) => typed && unmarked(typed))
        .pipe(textField(limit)).describe(atMost(limit)),
    },
    "This should be a country and a number.",
  ).nullish().transform((typed, ctx) => {
    if (typed?.number === undefined) return undefined;
    const dial = DIAL_CODES.find(({ country }) => country === typed.country);
    if (dial === undefined) return refuse(ctx, "Choose one of the dial codes.");
    return toE164(dial.country, typed.number) ?? refuse(ctx, noSuchNumber(dial));
  });
