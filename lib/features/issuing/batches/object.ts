/** The responses of the batch endpoints, as schemas, and the conversion of a stored batch. */
import { z } from "zod";
import { BATCH_STATES, type BatchRow, type BatchState, hasBegun } from "./rows.ts";

const time = z.iso.datetime();

const SHOWN_STATES = BATCH_STATES.filter((state) => hasBegun({ state })) as Exclude<
  BatchState,
  "storing" | "checked"
>[];

const STOP_REASONS = ["issuer_suspended", "key_revoked", "mail_returned"] as const;
export type StopReason = typeof STOP_REASONS[number];

/** A batch as the API returns it. */
export const batchObjectSchema = z.object({
  object: z.literal("batch"),
  id: z.string(),
  test: z.boolean(),
  state: z.enum(SHOWN_STATES).meta({
    description: "`issuing`: documents are issued; `holding`: the emails wait until `send_at`; " +
      "`sending`: emails are queued; `done`; `undoing`: its documents are erased; `undone`.",
  }),
  stopped: z.enum(STOP_REASONS).nullable().meta({
    description:
      "Why it does not continue by itself. After `key_revoked`, sending it with another " +
      "key continues it. If nothing changes until the emails are due (while documents are issued: for " +
      "a day after the file was sent), it is undone. After `mail_returned`, because 5% of its emails came " +
      "back, at least 20, look at the results: sending it emails the rest, cancelling it erases the " +
      "documents that nobody was emailed about. If nobody decides within three days, it is cancelled.",
  }),
  file_name: z.string().nullable(),
  rows: z.int(),
  issued: z.int().meta({ description: "The rows whose documents are issued." }),
  failed: z.int().meta({ description: "The rows that could not be issued: see the results." }),
  sent: z.int().meta({ description: "The documents whose recipients were emailed." }),
  removed: z.int().meta({ description: "The rows that were undone." }),
  kept: z.int().meta({
    description:
      "The documents that were not undone, because their recipients already know about them.",
  }),
  returned: z.int().meta({
    description: "The emails that came back. The results say which, and why.",
  }),
  created_at: time,
  send_at: time.nullable().meta({
    description: "When the emails are sent. Null while documents are issued.",
  }),
  finished_at: time.nullable(),
  expires_at: time.meta({ description: "When the batch and its results are removed." }),
}).meta({ id: "Batch" });
export type BatchObject = z.infer<typeof batchObjectSchema>;

/** A list of batches, as the API returns it. */
export const batchListSchema = z.object({
  object: z.literal("list"),
  data: z.array(batchObjectSchema).meta({ description: "The newest first." }),
});

const rowProblem = z.object({
  line: z.int().meta({ description: "The number of the row's first line in the file, from 1." }),
  column: z.string().nullable().meta({ description: "Null if it concerns the whole row." }),
  value: z.string().optional(),
  reason: z.string(),
});

/** The response to a file that is only checked. */
export const batchCheckSchema = z.object({
  object: z.literal("batch_check"),
  rows: z.int().meta({ description: "The number of rows. None of them has a problem." }),
  left_out: z.array(rowProblem).meta({
    description: "Why rows are left out, with `unprintable=leave_out`.",
  }),
});

/** The further members of the error of a file with problems. */
export const rowProblems = {
  rows: z.array(rowProblem).meta({ description: "The problems, at most the first 1,000." }),
  problems: z.int().meta({ description: "The number of all problems." }),
  faulty_rows: z.int(),
  unprintable_rows: z.int().meta({
    description: "The number of rows that `unprintable=leave_out` would leave out.",
  }),
};

/** Returns a batch of the API. */
export const batchObject = (
  { state, ...batch }: BatchRow,
  stopped: StopReason | null,
): BatchObject => ({
  object: "batch",
  id: batch.id,
  test: batch.test,
  state: state as BatchObject["state"],
  stopped,
  file_name: batch.file_name,
  rows: batch.rows,
  issued: batch.issued,
  failed: batch.failed,
  sent: batch.sent,
  removed: batch.removed,
  kept: batch.kept,
  returned: batch.returned,
  created_at: batch.created_at,
  send_at: batch.send_at,
  finished_at: batch.finished_at,
  expires_at: batch.expires_at,
});
