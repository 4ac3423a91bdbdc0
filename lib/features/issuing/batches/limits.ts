/** The limits of batches, files and rows per issuer, and the refusal of batches that repeat another one. */
import { z } from "zod";
import { fail, type Failure, rateLimited } from "../../../base/result.ts";
import { DAY_MS, HOUR_MS, inDays, MINUTE_MS } from "../../../base/time.ts";
import {
  countIn,
  defineLimit,
  defineTable,
  expires,
  EXPIRING,
  isoAfter,
  transact,
  unchecked,
} from "../../../platform/kv/mod.ts";
import { modeOf } from "../../documents/mod.ts";
import { batches, batchesLike, type BatchRow, isOther, unfinished } from "./rows.ts";

/**
 * The most batches of an issuer that are worked on at the same time. Those whose mails wait count too, unless
 * they are tests, which mail nobody.
 */
export const MAX_UNFINISHED = 10;

/** The most checked files of an issuer that wait until an administrator issues them. */
export const MAX_CHECKED = 10;

/** The most rows that an issuer sends in a day (UTC), live and as tests. */
export const MAX_ROWS_A_DAY = 50_000;

/** The most files of an issuer that are checked in an hour, whether or not their rows are then sent. */
export const CHECKS_PER_HOUR = 120;

/** The files that an issuer has had checked in the last hour. */
export const checkLimits = defineLimit({
  name: "issuing_checks",
  limit: CHECKS_PER_HOUR,
  windowMs: HOUR_MS,
  owner: "organisation",
  per: "issuer that sends files to check",
});

export const TOO_MANY_CHECKS =
  `At most ${CHECKS_PER_HOUR} files are checked in an hour. Send this one later.`;

const KEPT_MS = 2 * DAY_MS;

/** How many rows an issuer has sent in a day. Each batch that begins changes it, so two cannot pass a limit at once. */
export const batchLimits = defineTable({
  prefix: "issuing_batch_limits",
  value: z.strictObject({
    /** The id of the issuer. */
    issuer: z.string(),
    mode: z.enum(["live", "test"]),
    day: z.string(),
    rows: z.number(),
    ...EXPIRING,
  }),
  key: ["issuer", "mode"],
  owner: "organisation",
  lifetime: expires(inDays(KEPT_MS)),
  per: "issuer that sends batches",
});

/** How long the same rows of the same key are refused, unless the request says that they are meant. */
const DUPLICATE_MS = 10 * MINUTE_MS;

/**
 * Counts a batch in the commit that begins it. Returns why it is refused, if its issuer has too many batches or
 * rows, or if it repeats another one.
 *
 * @param allowDuplicate true if it may repeat another one
 */
export async function countBatch(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  batch: BatchRow,
  now: number,
  allowDuplicate = true,
): Promise<Failure | null> {
  const { issuer } = batch;
  const mode = modeOf(batch);
  const day = isoAfter(now, 0).slice(0, 10);
  countIn(kv, batchLimits.key(issuer, mode));
  const [limit, open] = await Promise.all([
    batchLimits.get(kv, issuer, mode),
    unfinished(kv, [issuer, mode]),
  ]);
  const alike = allowDuplicate ? [] : await batchesLike(kv, batch);
  unchecked("Each batch that begins changes the row of the limits.", ...open, ...alike);
  const same = duplicateOf(batch, alike, now);
  if (same !== undefined) return duplicate(same);
  const busy = open.filter(({ value }) =>
    value.state !== "checked" && value.id !== batch.id &&
    !(batch.test && value.state === "holding")
  );
  if (busy.length >= MAX_UNFINISHED) return fail("conflict", { message: TOO_MANY });
  const rows = (limit.value?.day === day ? limit.value.rows : 0) + batch.rows;
  if (rows > MAX_ROWS_A_DAY) {
    return { ...rateLimited(DAY_MS - now % DAY_MS), message: TOO_MANY_ROWS };
  }
  const expires_at = isoAfter(now, KEPT_MS);
  batchLimits.replace(commit, limit, { issuer, mode, day, rows, expires_at }, now);
  return null;
}

/** Returns why no further file of an issuer waits to be looked at, if there are too many. Several at once may pass. */
async function refuseChecked(kv: Deno.Kv, batch: BatchRow): Promise<Failure | null> {
  const open = await unfinished(kv, [batch.issuer, modeOf(batch)]);
  unchecked("A few more do no harm.", ...open);
  const checked = open.filter(({ value }) => value.state === "checked");
  return checked.length < MAX_CHECKED ? null : fail("conflict", { message: TOO_MANY_CHECKED });
}

/**
 * Stores the row of a batch, unless its issuer has too many.
 *
 * @param as `issuing` if it begins at once; `checked` if an administrator looks at it first
 */
export async function beginBatch(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  { batch, allowDuplicate }: { batch: BatchRow; allowDuplicate: boolean },
  as: "issuing" | "checked",
): Promise<{ ok: true; entry: Deno.KvEntry<BatchRow> } | Failure> {
  const begun = await transact<{ ok: true } | Failure>(async () => {
    const now = clock();
    const commit = kv.atomic().check({ key: batches.key(batch.id), versionstamp: null });
    const refused = as === "issuing"
      ? await countBatch(kv, commit, batch, now, allowDuplicate)
      : await refuseChecked(kv, batch);
    if (refused !== null) return { result: refused };
    batches.set(commit, batch, now);
    return { result: { ok: true }, commit };
  });
  if (!begun.ok) return begun;
  const entry = await batches.get(kv, batch.id);
  return entry.value === null ? TOO_LATE : { ok: true, entry };
}

/** The batch was removed while its rows were stored. */
export const TOO_LATE = fail("unavailable", {
  message: "The rows could not be stored, so nothing was issued. Try again.",
});

/** Returns the batch that the same key has begun with the same rows a short time before. */
const duplicateOf = (
  batch: BatchRow,
  alike: readonly Deno.KvEntry<BatchRow>[],
  now: number,
): BatchRow | undefined =>
  alike.map(({ value }) => value).find((other) =>
    isOther(batch, other) && other.by === batch.by && other.state !== "checked" &&
    other.created_at > isoAfter(now, -DUPLICATE_MS)
  );

const duplicate = ({ id, created_at, state }: BatchRow): Failure =>
  state === "storing"
    ? fail("unavailable", { message: STILL_STORING, retryAfterSeconds: STORING_SECONDS })
    : fail("duplicate_batch", {
      message: `These rows have begun a batch at ${created_at}. Read that one. To issue the file ` +
        "once more, add allow_duplicate=true.",
      details: { batch: id },
    });

/** A file is usually stored within seconds. */
const STORING_SECONDS = 30;
const STILL_STORING =
  "The same rows are being received by another request, or one was interrupted. Nothing is " +
  "issued yet. Try again in ten minutes.";
const TOO_MANY =
  `${MAX_UNFINISHED} batches are in progress, which is the limit. Wait until one is finished.`;
const TOO_MANY_CHECKED =
  `${MAX_CHECKED} checked files of this issuer are waiting, which is the limit. Issue or discard one of them first.`;
const TOO_MANY_ROWS = "An issuer can send 50,000 rows a day. Send the others tomorrow.";
