/** The fields that are sent with a file of a batch, through the API or the console's form. */
import { z } from "zod";
import { formatDay } from "../../../base/time.ts";
import { nonEmptyText } from "../../contact/mod.ts";
import { withoutEmpty } from "../../documents/mod.ts";
import type { CheckedRow } from "./check.ts";
import { batchDefaults } from "./columns.ts";

/** How rows that cannot be printed are treated. */
const unprintableField = z.enum(["refuse", "leave_out"], "Send refuse or leave_out.").default(
  "refuse",
);

/** The values that are sent with a file to check: as parameters of the URL, or as fields of a form. */
export const batchCheckInput = batchDefaults.extend({
  file_name: z.string().min(1).max(255, "Use at most 255 characters.").optional(),
  unprintable: unprintableField.meta({
    description:
      "`leave_out` continues without the rows whose only problem is that their certificates " +
      "cannot be printed, such as a name that the fonts cannot show. By default, they are refused like other " +
      "problems.",
  }),
});

/** The values that are sent with a file to issue. */
export const newBatchSchema = batchCheckInput.extend({
  allow_duplicate: z.enum(["true", "false"], "Send true or false.").default("false").meta({
    description: "`true` issues the file again although the same rows have begun a batch within " +
      "ten minutes. A request with an `Idempotency-Key` is never refused for that.",
  }),
});

export type BatchInput = z.output<typeof batchCheckInput>;
export type NewBatch = z.output<typeof newBatchSchema>;

const MAX_TITLE = 120;

/** The fields of the console's form with a file. */
export const batchFormSchema = z.preprocess(
  (texts) => withoutEmpty(texts as object),
  batchDefaults.extend({
    mode: z.enum(["live", "test"], "Choose whether it is a test."),
    unprintable: unprintableField,
    batch_title: nonEmptyText(MAX_TITLE, "The title is missing.").optional(),
  }),
);

/** Returns the title of a batch that was given none: the type and the date of its first document. */
export const titleOf = ([first]: readonly CheckedRow[]): string =>
  first === undefined
    ? "No documents"
    : `${first.document.type}, ${formatDay(first.document.date)}`;

/** The actions of an administrator on a batch: before it is issued, and before its mails are sent. */
export const batchActSchema = z.object({ act: z.enum(["issue", "discard", "send", "cancel"]) });
export type BatchAct = z.output<typeof batchActSchema>["act"];
