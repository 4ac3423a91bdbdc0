import { z } from "zod";
import { unmarked } from "../../../base/pasted.ts";
import { ABOUT_FIELDS, dayField } from "../../documents/mod.ts";
import {
  CERTIFICATE_FIELDS,
  expiresInOrder,
  externalIdField,
  nameLatinField,
  RECIPIENT_FIELDS,
} from "../fields.ts";

/** The columns that can also be given with the file, for all rows that do not have them. */
const SHARED = { ...ABOUT_FIELDS, ...CERTIFICATE_FIELDS };

export type SharedColumn = keyof typeof SHARED;

/** A row of a file with what was given for all rows. */
export const batchDocument = z.strictObject({
  ...RECIPIENT_FIELDS,
  name_latin: nameLatinField,
  external_id: externalIdField.optional(),
  ...SHARED,
  date: z.string("The date is missing.").pipe(dayField),
}).check(expiresInOrder);
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
  unmarked(cell).toLowerCase().replaceAll(/[\s-]+/g, "_").slice(0, 100);
