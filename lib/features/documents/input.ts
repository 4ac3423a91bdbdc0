/**
 * The forms with which administrators add, edit and withdraw documents.
 *
 * @module
 */
import { z } from "zod";
import {
  ABOUT_FIELDS,
  guessableFor,
  PUBLIC_FIELDS,
  reasonField,
  storedFields,
  withoutEmpty,
} from "./fields.ts";

const again = z.literal("on").optional();

/**
 * The form that adds a version. `again` is the answer if the file is already registered, and `parts` if its
 * copy leaves something out.
 */
export const versionSchema = z.object({
  file_hash: PUBLIC_FIELDS.publish_hash,
  again,
  parts: again,
}).transform(({ file_hash, again, parts }) => ({
  ...guessableFor(file_hash),
  onlyNew: again === undefined,
  askLeftOut: parts === undefined,
}));

const { date: _, ...aboutFields } = ABOUT_FIELDS;

/** The form that adds or edits a document. */
export const documentSchema = z.preprocess(
  (texts) => ({
    ...withoutEmpty(texts as object),
    public: (texts as { public?: string }).public === "on",
  }),
  z.object({ ...aboutFields, ...PUBLIC_FIELDS }),
).transform((fields) => {
  const { type: kind, ...document } = storedFields(fields);
  return { ...document, kind };
});

/** The form that withdraws a document. */
export const withdrawalSchema = z.object({ reason: reasonField });
