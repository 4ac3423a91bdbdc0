import { z } from "zod";
import { withoutEmpty } from "../../documents/mod.ts";
import { batchDefaults } from "./columns.ts";

/** The values that are sent with a file to check: as parameters of the URL, or as fields of a form. */
export const batchCheckInput = batchDefaults.extend({
  file_name: z.string().min(1).max(255, "Use at most 255 characters.").optional(),
});

/** The values that are sent with a file to issue. */
export const newBatchSchema = batchCheckInput.extend({
  allow_duplicate: z.enum(["true", "false"], "Send true or false.").default("false").meta({
    description:
      "`true` issues the file again although the same request has begun a batch within " +
      "ten minutes. A request with an `Idempotency-Key` is never refused for that.",
  }),
});

export type BatchInput = z.output<typeof batchCheckInput>;
export type NewBatch = z.output<typeof newBatchSchema>;

/** The fields of the console's form with a file. */
export const batchFormSchema = z.preprocess(
  (texts) => withoutEmpty(texts as object),
  batchDefaults.extend({ mode: z.enum(["live", "test"]) }),
);

/** The actions of an administrator on a batch. */
export const batchActSchema = z.object({ act: z.enum(["send", "cancel"]) });
