import { z } from "zod";
import { withoutEmpty } from "../../documents/mod.ts";
import { batchDefaults } from "./columns.ts";

const dryRun = z.enum(["true", "false"], "Send true or false.").default("false").meta({
  description: "`true` only checks the file.",
});

/** The values that are sent with a file: as parameters of the URL, or as fields of a form. */
export const newBatchSchema = batchDefaults.extend({
  file_name: z.string().min(1).max(255, "Use at most 255 characters.").optional(),
  dry_run: dryRun,
});

export type NewBatch = z.output<typeof newBatchSchema>;

/** The fields of the console's form with a file. */
export const batchFormSchema = z.preprocess(
  (texts) => withoutEmpty(texts as object),
  batchDefaults.extend({ mode: z.enum(["live", "test"]) }),
);

/** The actions of an administrator on a batch. */
export const batchActSchema = z.object({ act: z.enum(["send", "cancel"]) });
