/** The correction of a record: beginning it, putting it in force, and taking it back. */
import { unchecked } from "../../../platform/kv/mod.ts";
import { type Job, sweepRows } from "../../../platform/jobs/mod.ts";
import { bind } from "../../../base/bind.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { MINUTE_MS } from "../../../base/time.ts";
import { type CorrectionOptions, corrections, type CorrectionWork, finishMove } from "./work.ts";
import type { Undoers } from "../record/record_data.ts";
import { openCorrection } from "../sessions/move.ts";
import { putInForce } from "./put_in_force.ts";
import { startCorrection } from "./start.ts";
import {
  readRecord,
  type RecordEntry,
  type RecordRow,
  recordRows,
  waitsToCorrect,
} from "../record/store.ts";
import { createUndoCorrection, withdraw } from "./undo.ts";
import { stillWaiting, type Waiting } from "./waiting.ts";

/** See {@link createCorrection}. */
export type Correction = ReturnType<typeof createCorrection>;

/**
 * Creates the correction of a record's contact data (docs/records.md). A record never changes, so the
 * corrected data is a new record with its own chain. It takes effect once the changed address or
 * number is confirmed, or at once if neither changed. Until then the old record stays in force.
 */
export function createCorrection(options: CorrectionOptions) {
  const { kv } = options;
  const job: Job = {
    name: "corrections",
    title: "Finishing corrections of records",
    everyMs: MINUTE_MS,
    maxMs: MINUTE_MS,
    async run(context) {
      const step = ({ value }: { value: CorrectionWork }, hash: string) =>
        continueWork(options, hash, value);
      const finished = await sweepRows<CorrectionWork>(kv, corrections.prefix, context, step);
      return `${finished} finished`;
    },
  };
  const undoers: Undoers = { cancel_correction: createUndoCorrection(options) };

  return {
    /** Finishes interrupted corrections and withdraws those that nobody confirmed. */
    job,
    undoers,
    ...bind(options, {
      start: startCorrection,
      putInForce,
      withdraw,
      resume: finishMove,
      resumeAll,
      open: openWaiting,
      waiting: readWaiting,
      mayConfirmNumber,
    }),
  };
}

/** Finishes the moves of a record and of those that it corrects. */
async function resumeAll(options: CorrectionOptions, hash: string): Promise<void> {
  for (let each: string | null = hash; each !== null;) {
    await finishMove(options, each);
    const { value }: Deno.KvEntryMaybe<RecordRow> = await recordRows.get(options.kv, each);
    each = value?.replaces ?? null;
  }
}

/** Opens a correction that is not in force yet, so that its holder can confirm the number. */
async function openWaiting(
  { kv, clock }: CorrectionOptions,
  session: { id: string },
  hash: string,
): Promise<{ ok: true } | Failure<"not_found">> {
  const record = await readRecord(kv, hash);
  const to = record?.row.correction?.to;
  if (to === undefined) return fail("not_found");
  await openCorrection(kv, session, to, clock());
  return { ok: true };
}

/** Returns what the correction of a record waits for, or null if there is none. */
async function readWaiting(
  { kv }: CorrectionOptions,
  record: RecordEntry,
): Promise<{ to: RecordEntry; waitsFor: Waiting | null } | null> {
  const to = record.row.correction && await readRecord(kv, record.row.correction.to);
  return to ? { to, waitsFor: stillWaiting(record, to) } : null;
}

/**
 * Returns whether the number of a record can be confirmed: always, unless it is a correction that
 * does not wait for that.
 */
async function mayConfirmNumber({ kv }: CorrectionOptions, record: RecordEntry): Promise<boolean> {
  if (!await waitsToCorrect(kv, record)) return true;
  const old = await readRecord(kv, record.row.replaces!);
  if (old !== null) {
    unchecked("Whatever ends the correction checks its record.", old.contact, old.entry);
  }
  return old !== null && stillWaiting(old, record) === "mobile";
}

/** Continues a correction. Returns whether it is finished. */
async function continueWork(
  options: CorrectionOptions,
  hash: string,
  work: CorrectionWork,
): Promise<boolean> {
  if (work.state === "moving") await finishMove(options, hash);
  else if (options.clock() >= Date.parse(work.until)) await withdraw(options, hash, null);
  else {
    await putInForce(options, hash);
    return false;
  }
  return true;
}
