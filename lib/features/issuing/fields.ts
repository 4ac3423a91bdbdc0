/**
 * The fields of documents for people, each with one schema for the API, files and the console's forms. Those of
 * all documents are in `documents/fields.ts`.
 *
 * @module
 */
import { z } from "zod";
import { emailSchema } from "../../base/email.ts";
import { unmarked } from "../../base/pasted.ts";
import { enquirySchema, nonEmptyText, textField } from "../contact/mod.ts";
import { CERTIFICATE_LIMITS, PAPERS } from "./certificate/mod.ts";

const MAX_EXTERNAL_ID = 100;
const MAX_RECIPIENT_NAME = 200;

const NO_NAME = "A name must contain letters.";
const nameField = nonEmptyText(MAX_RECIPIENT_NAME, "The name is missing.", false, NO_NAME)
  // A record is registered with this name, so it must be one that the form would accept.
  .refine((name) => enquirySchema.safeParse({ name, email: "a@example.org" }).success, NO_NAME)
  .meta({
    description:
      `At most ${MAX_RECIPIENT_NAME} characters; on a certificate ${CERTIFICATE_LIMITS.name}.`,
  });

const LANGUAGE = "Send the language as a tag such as zh-Hant.";
export const languageField = z.string(LANGUAGE).overwrite(unmarked).max(35, LANGUAGE)
  .refine((tag) => canonicalTag(tag) !== undefined, LANGUAGE)
  .transform((tag) => canonicalTag(tag)!);

/** Returns a language tag as it is usually written (BCP 47); undefined if it is none. */
function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** The person who receives a document. */
export const RECIPIENT_FIELDS = {
  name: nameField,
  email: emailSchema({ missing: "The email address is missing." }).meta({
    description: "The address that is emailed. Only you and the recipient see it.",
  }),
  language: languageField.optional().meta({
    description:
      "The language of the name, such as `zh-Hant` or `ja`: some letters look different in some languages, " +
      "and screen readers need it. By default the name's script says it, and for Chinese characters the " +
      "country of your domain.",
  }),
};

const EXTERNAL_ID = `Use 1 to ${MAX_EXTERNAL_ID} visible characters.`;
export const externalIdField = z.string(EXTERNAL_ID).overwrite(unmarked).max(
  MAX_EXTERNAL_ID,
  EXTERNAL_ID,
)
  .refine((text) => /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u.test(text), EXTERNAL_ID)
  // It is kept when a recipient is forgotten, and events contain it.
  .refine((text) => !text.includes("@"), "Do not use an email address as the id of a document.")
  .meta({
    description:
      "Your own id of the document, which must not be about a person: it is kept when the recipient " +
      "is forgotten. We only check that it is unique within the file of a batch.",
  });

const certificateText = (limit: number, description: string) =>
  textField(limit, true).meta({ description: `${description} At most ${limit} characters.` });

/** The name of the recipient in Latin letters, which is only on a certificate. */
export const nameLatinField = certificateText(
  CERTIFICATE_LIMITS.name_latin,
  "The name in Latin letters, printed below a name in another script.",
);

/** The texts that only a certificate has, and its paper. */
export const CERTIFICATE_FIELDS = {
  subtitle: certificateText(
    CERTIFICATE_LIMITS.subtitle,
    "Below the title, such as a code or a specialisation.",
  ),
  body: certificateText(
    CERTIFICATE_LIMITS.body,
    "A paragraph, such as the units that were completed.",
  ),
  grade: certificateText(CERTIFICATE_LIMITS.grade, "The result."),
  signatory: certificateText(CERTIFICATE_LIMITS.signatory, "The name of the person who signs."),
  signatory_title: certificateText(
    CERTIFICATE_LIMITS.signatory_title,
    "The position of that person.",
  ),
  paper: z.enum(PAPERS, `Send ${PAPERS.join(" or ")}.`).optional().meta({
    description: "The size of the paper: A4, which is the default, or US Letter.",
  }),
};

/** Adds an issue if a document would expire before the day that it states. */
export const expiresInOrder = z.check<{ date?: string; expires_on?: string }>(
  ({ value: { date, expires_on }, issues }) => {
    if (date === undefined || expires_on === undefined || expires_on >= date) return;
    const message = "A document cannot expire before its date.";
    issues.push({ code: "custom", path: ["expires_on"], message, input: expires_on });
  },
);
