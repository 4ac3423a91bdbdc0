/** The tables of batches and their rows, with the states that both pass through. */
import { z } from "zod";
import { DAY_MS, inDays } from "../../../base/time.ts";
import { isUuid } from "../../../base/uuid.ts";
import { defineTable, expires, EXPIRING } from "../../../platform/kv/mod.ts";
import { modeOf } from "../../documents/mod.ts";
import { TEST_MS } from "../recipients.ts";
import { batchDocument } from "./columns.ts";

/** How long a batch is kept, with the outcome of each row. */
const KEPT_MS = 90 * DAY_MS;

export const keptFor = ({ test }: { test: boolean }): number => test ? TEST_MS : KEPT_MS;

/**
 * - `storing`: its rows are being stored. It is not visible, and removed if that is interrupted
 * - `checked`: an administrator looks at the checked file. Only the console shows it, and nothing is issued yet
 * - `issuing`: a document is issued for each row
 * - `holding`: the mails wait until `send_at`
 * - `sending`: the mails are being queued
 * - `done`
 * - `undoing`, `undone`: its documents are being erased, or were
 */
export const BATCH_STATES = [
  "storing",
  "checked",
  "issuing",
  "holding",
  "sending",
  "done",
  "undoing",
  "undone",
] as const;
export type BatchState = typeof BATCH_STATES[number];

/** Returns whether a batch has begun: before that, its issuer does not see it. */
export const hasBegun = ({ state }: Pick<BatchRow, "state">): boolean =>
  state !== "storing" && state !== "checked";

const time = z.iso.datetime();

/** A problem of a row of a file, or a warning. */
const rowProblem = z.strictObject({
  /** The number of its first line in the file, from 1. */
  line: z.number(),
  /** Null if it concerns the whole row. */
  column: z.string().nullable(),
  value: z.string().optional(),
  reason: z.string(),
});
export type RowProblem = z.infer<typeof rowProblem>;

const batch = z.strictObject({
  id: z.string(),
  /** The id of the issuer. */
  issuer: z.string(),
  organisation: z.enum(["foundation", "commercial"]),
  test: z.boolean(),
  /** The email address of the administrator who sent the file, or `key` and the id of the issuer's key. */
  by: z.string(),
  state: z.enum(BATCH_STATES),
  /** The name by which people know it. */
  title: z.string(),
  file_name: z.string().nullable(),
  /** The findings of the check, while it is `checked`. */
  found: z.strictObject({
    /** The number of the row with the longest texts. */
    longest: z.number(),
    warnings: z.array(rowProblem),
    /** The number of all warnings. */
    warned: z.number(),
  }).nullable(),
  /** The SHA-256 hash of its rows, by which a repetition is recognised; absent in older rows. */
  fingerprint: z.string().optional(),
  /** The number of its rows. */
  rows: z.number(),
  /** The number of addresses in it. Each gets one mail. */
  people: z.number(),
  /** The number of the row at which the work of its state continues. */
  at: z.number(),
  /** The outcomes of the rows. Of the state's own, only those before `at` are counted. */
  issued: z.number(),
  failed: z.number(),
  sent: z.number(),
  removed: z.number(),
  kept: z.number(),
  /** How many mails came back, because of the address, the sender or a complaint. */
  returned: z.number(),
  /** The count when somebody last decided that it continues although mails came back. */
  accepted: z.strictObject({ sent: z.number(), returned: z.number() }),
  /** When it stopped because too many mails came back; null once somebody has decided. */
  stopped_at: time.nullable(),
  created_at: time,
  /** When the mails are sent. Null while documents are issued, unless somebody has asked not to wait. */
  send_at: time.nullable(),
  /** When the first mail was queued. */
  sending_at: time.nullable(),
  finished_at: time.nullable(),
  ...EXPIRING,
});
export type BatchRow = z.infer<typeof batch>;

/** A batch stops if this many of its mails come back, because otherwise the sender would be blocked for everybody. */
const MOST_RETURNED = 20;
const MOST_RETURNED_SHARE = 0.05;

/** Returns whether too many mails of a batch came back, of those since somebody last decided about it. */
export function isTooMany(
  { sent, returned, accepted }: Pick<BatchRow, "sent" | "returned" | "accepted">,
): boolean {
  const back = returned - accepted.returned;
  return back >= MOST_RETURNED && back >= MOST_RETURNED_SHARE * (sent - accepted.sent);
}

/** Batches with work to do. */
const BY_WORK = "issuing_batches_by_work";
const BY_ISSUER = "issuing_batches_by_issuer";
/** Batches with the same rows. */
const BY_FINGERPRINT = "issuing_batches_by_fingerprint";

/** Returns whether a batch has nothing left to do. */
export const isFinished = ({ state }: Pick<BatchRow, "state">): boolean =>
  state === "done" || state === "undone";

/** Returns whether the mails of a batch waited long enough, so that they are being sent, or are as soon as the job runs. */
export const isDue = ({ state, send_at }: Pick<BatchRow, "state" | "send_at">, now: number) =>
  state === "holding" && now >= Date.parse(send_at!);

/** The batches of all issuers. */
export const batches = defineTable({
  prefix: "issuing_batches",
  value: batch,
  key: ["id"],
  indexes: {
    [BY_WORK]: {
      keysOf: (row: BatchRow, key: Deno.KvKey) =>
        isFinished(row) ? [] : [[row.issuer, modeOf(row), ...key]],
      value: () => null,
    },
    [BY_ISSUER]: {
      keysOf: (row: BatchRow, key: Deno.KvKey) =>
        hasBegun(row) ? [[row.issuer, modeOf(row), row.created_at, ...key]] : [],
      value: () => null,
    },
    [BY_FINGERPRINT]: {
      keysOf: (row: BatchRow, key: Deno.KvKey) =>
        row.fingerprint === undefined ? [] : [[row.issuer, modeOf(row), row.fingerprint, ...key]],
      value: () => null,
    },
  },
  owner: "organisation",
  lifetime: expires(`${inDays(KEPT_MS)}; tests ${inDays(TEST_MS)}`),
  watched: true,
  per: "batch of documents",
});

/** Returns the batches with work to do, of one issuer or all. */
export const unfinished = (kv: Deno.Kv, of: readonly Deno.KvKeyPart[] = []) =>
  batches.find(kv, BY_WORK, of);

/** Returns the newest batches of an issuer. */
export const batchesOf = async (
  kv: Deno.Kv,
  { issuer, test }: { issuer: string; test: boolean },
  limit: number,
): Promise<BatchRow[]> =>
  (await batches.find(kv, BY_ISSUER, [issuer, modeOf({ test })], { reverse: true, limit }))
    .map(({ value }) => value);

/** Returns the batches of an issuer with the same rows as one of them, with itself and those that were undone. */
export const batchesLike = async (
  kv: Deno.Kv,
  { issuer, test, fingerprint }: BatchRow,
): Promise<Deno.KvEntry<BatchRow>[]> =>
  fingerprint === undefined
    ? []
    : await batches.find(kv, BY_FINGERPRINT, [issuer, modeOf({ test }), fingerprint]);

/** Returns whether a batch is another one than the given one, and was not undone. */
export const isOther = ({ id }: BatchRow, other: BatchRow): boolean =>
  other.id !== id && other.state !== "undoing" && other.state !== "undone";

/**
 * - `waiting`: it has no document yet
 * - `issued`: its document is issued, and its recipient is mailed later
 * - `sent`: the mail to its recipient is queued, or would be if it were not a test
 * - `failed`: no document could be issued
 * - `removed`: its document was erased, or is not issued any more
 * - `kept`: the batch was undone, but the recipient knew of the document
 */
const ROW_STATES = ["waiting", "issued", "sent", "failed", "removed", "kept"] as const;
export type RowState = typeof ROW_STATES[number];

/** A row of a batch's file, unlike {@link BatchRow}, which is the batch itself. */
const batchLine = z.strictObject({
  /** The id of the batch. */
  batch: z.string(),
  /** From 0. */
  n: z.number(),
  /** The number of its line in the file. */
  line: z.number(),
  state: z.enum(ROW_STATES),
  external_id: z.string().nullable(),
  /** The values in the file. Null once it is in the document, or no longer needed. */
  values: batchDocument.nullable(),
  /** The id of its document. */
  document: z.string().nullable(),
  /** Why it has failed: a code, and a sentence for people. */
  problem: z.strictObject({ error: z.string(), message: z.string() }).nullable(),
  /** Why the mail to its recipient did not arrive, as a stable code; null if nothing is known about that. */
  mail: z.string().nullable(),
  ...EXPIRING,
});
export type BatchLine = z.infer<typeof batchLine>;

/** Rows whose mail did not arrive. */
const BY_RETURNED = "issuing_batch_rows_by_returned";

/** The rows of the files of batches. */
export const batchLines = defineTable({
  prefix: "issuing_batch_rows",
  value: batchLine,
  key: ["batch", "n"],
  indexes: {
    [BY_RETURNED]: {
      keysOf: ({ mail }: BatchLine, key: Deno.KvKey) => mail === null ? [] : [key],
      value: () => null,
    },
  },
  owner: "record",
  lifetime: expires(
    `${inDays(KEPT_MS)}; tests ${
      inDays(TEST_MS)
    }; names and addresses: until the document is issued`,
  ),
  per: "document of a batch",
  privacy: {
    section: "record",
    label: "Issued documents",
    text:
      "An organisation may send a file with many documents. We keep the name and the address of each row until " +
      "its document is issued, which usually takes minutes, and at most " +
      `${inDays(KEPT_MS)}. We keep the ids of the documents for as long.`,
  },
});

/** Reads the batch with an id from a URL; null if there is none. */
export const readBatch = async (kv: Deno.Kv, id: string): Promise<BatchRow | null> =>
  isUuid(id) ? (await batches.get(kv, id)).value : null;

/** Returns the rows of a batch whose mail did not arrive, in the order of the file, from a row on. */
export const undeliveredLines = async (
  kv: Deno.Kv,
  { id }: Pick<BatchRow, "id">,
  { from, limit }: { from: number; limit: number },
): Promise<BatchLine[]> =>
  (await batchLines.find(kv, BY_RETURNED, [id], { from, limit })).map(({ value }) => value);
