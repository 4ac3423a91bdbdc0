import { z } from "zod";
import { emailSchema } from "../../../base/email.ts";
import { isDay } from "../../../base/time.ts";
import { enquirySchema, nonEmptyText, textField } from "../../contact/mod.ts";
import { MAX_KIND, MAX_TITLE } from "../../documents/mod.ts";
import { CERTIFICATE_LIMITS } from "../certificate/mod.ts";

const A_DAY = "Write the day as YYYY-MM-DD, such as 2026-11-20.";
const day = z.string(A_DAY).max(40, A_DAY).trim().refine(isDay, A_DAY);

const NO_NAME = "A name has letters.";
const name = nonEmptyText(CERTIFICATE_LIMITS.name, "The name is missing.")
  // A record is registered with this name, so it must be one that the form would accept.
  .refine((name) => enquirySchema.safeParse({ name, email: "a@example.org" }).success, NO_NAME);

const EXTERNAL_ID = "Use 1 to 100 visible characters.";
const externalId = z.string(EXTERNAL_ID).max(400, EXTERNAL_ID).trim().max(100, EXTERNAL_ID)
  .regex(/^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u, EXTERNAL_ID);

/** The columns that can also be given with the file, for all rows that do not have them. */
const SHARED = {
  title: nonEmptyText(MAX_TITLE, "The title is missing."),
  type: nonEmptyText(MAX_KIND, "The type is missing."),
  date: day,
  expires_on: day.optional(),
  subtitle: textField(CERTIFICATE_LIMITS.subtitle, true),
  body: textField(CERTIFICATE_LIMITS.body, true),
  grade: textField(CERTIFICATE_LIMITS.grade, true),
  signatory: textField(CERTIFICATE_LIMITS.signatory, true),
  signatory_title: textField(CERTIFICATE_LIMITS.signatory_title, true),
};

export type SharedColumn = keyof typeof SHARED;
export const SHARED_COLUMNS = Object.keys(SHARED) as SharedColumn[];

/** A row of a file with what was given for all rows. */
export const batchDocument = z.strictObject({
  name,
  email: emailSchema({ missing: "The email address is missing." }),
  external_id: externalId.optional(),
  ...SHARED,
  date: z.string("The date is missing.").pipe(day),
}).check(({ value: { date, expires_on }, issues }) => {
  if (expires_on === undefined || expires_on >= date) return;
  const message = "A document cannot expire before its date.";
  issues.push({ code: "custom", path: ["expires_on"], message, input: expires_on });
});
export type BatchDocument = z.output<typeof batchDocument>;

export const COLUMNS = Object.keys(batchDocument.shape) as (keyof BatchDocument)[];
export type Column = keyof BatchDocument;

/** The values of all rows of a file that do not have their own. */
export const batchDefaults = z.strictObject(SHARED).partial().extend({
  type: SHARED.type.default("Certificate"),
});
export type BatchDefaults = z.output<typeof batchDefaults>;

/** Returns the column that a cell of the header names: `External ID` is `external_id`. */
export const columnOf = (cell: string): string =>
  cell.trim().toLowerCase().replaceAll(/[\s-]+/g, "_").slice(0, 100);
