import { unchecked } from "../../../platform/kv/mod.ts";
import type { Enquiry } from "../../contact/mod.ts";
import { type Job, sweepRows } from "../../../platform/jobs/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { MINUTE_MS } from "../../../base/time.ts";
import type { Reader } from "../access_log/access_log.ts";
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
  const { kv, clock } = options;
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
    /** Registers the corrected record. It replaces an earlier correction that is not in force yet. */
    start: (hash: string, enquiry: Enquiry, reader: Reader) =>
      startCorrection(options, hash, enquiry, reader),
    /** Puts a correction in force if nothing is left to confirm. Call it after something was confirmed. */
    putInForce: (hash: string) => putInForce(options, hash),
    withdraw: (hash: string, reader: Reader) => withdraw(options, hash, reader),
    resume: (hash: string) => finishMove(options, hash),
    /** Finishes the moves of a record and of those that it corrects. */
    async resumeAll(hash: string): Promise<void> {
      for (let each: string | null = hash; each !== null;) {
        await finishMove(options, each);
        const { value }: Deno.KvEntryMaybe<RecordRow> = await recordRows.get(kv, each);
        each = value?.replaces ?? null;
      }
    },
    /** Opens a correction that is not in force yet, so that its holder can confirm the number. */
    async open(
      session: { id: string },
      hash: string,
    ): Promise<{ ok: true } | Failure<"not_found">> {
      const record = await readRecord(kv, hash);
      const to = record?.row.correction?.to;
      if (to === undefined) return fail("not_found");
      await openCorrection(kv, session, to, clock());
      return { ok: true };
    },
    /** Returns what the correction of a record waits for, or null if there is none. */
    async waiting(
      record: RecordEntry,
    ): Promise<{ to: RecordEntry; waitsFor: Waiting | null } | null> {
      const to = record.row.correction && await readRecord(kv, record.row.correction.to);
      return to ? { to, waitsFor: stillWaiting(record, to) } : null;
    },
    /**
     * Returns whether the number of a record can be confirmed: always, unless it is a correction that
     * does not wait for that.
     */
    async mayConfirmNumber(record: RecordEntry): Promise<boolean> {
      if (!await waitsToCorrect(kv, record)) return true;
      const old = await readRecord(kv, record.row.replaces!);
      if (old !== null) {
        unchecked("Whatever ends the correction checks its record.", old.contact, old.entry);
      }
      return old !== null && stillWaiting(old, record) === "mobile";
    },
  };
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
