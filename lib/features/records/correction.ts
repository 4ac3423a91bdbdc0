import type { Enquiry } from "../contact/mod.ts";
import { type Job, sweepRows } from "../../platform/jobs/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { MINUTE_MS } from "../../base/time.ts";
import type { Reader } from "./access_log.ts";
import {
  type CorrectionOptions,
  corrections,
  type CorrectionWork,
  finishMove,
} from "./correction_work.ts";
import type { Undoers } from "./linked.ts";
import { openCorrection } from "./sessions.ts";
import { settle } from "./settle_correction.ts";
import { type Corrected, startCorrection } from "./start_correction.ts";
import {
  readRecord,
  type RecordEntry,
  type RecordRow,
  recordRows,
  waitsToCorrect,
} from "./store.ts";
import { createUndoCorrection, withdraw } from "./undo_correction.ts";
import { stillWaiting, type Waiting } from "./waiting.ts";

/**
 * The correction of a record's contact data (design, section 11). A record never changes, so the
 * corrected data is a new record with its own chain. It takes effect once the changed address or
 * number is confirmed, or at once if neither changed. Until then the old record stays in force.
 */
export interface Correction {
  /** Registers the corrected record. It replaces an earlier correction that is not in force yet. */
  start(hash: string, enquiry: Enquiry, reader: Reader): Promise<Corrected>;
  /** Returns what the correction of a record waits for, or null if there is none. */
  waiting(record: RecordEntry): Promise<{ to: RecordEntry; waitsFor: Waiting | null } | null>;
  /**
   * Returns whether the number of a record can be confirmed: always, unless it is a correction that
   * does not wait for that.
   */
  mayConfirmNumber(record: RecordEntry): Promise<boolean>;
  /**
   * Puts a correction in force if what it waits for is confirmed. Call it after an address or number
   * was confirmed.
   *
   * @param hash the corrected record or the one that it corrects
   */
  settle(hash: string): Promise<void>;
  /** Opens a correction that is not in force yet, so that its holder can confirm the number. */
  open(session: { id: string }, hash: string): Promise<{ ok: true } | Failure<"not_found">>;
  /** Withdraws a correction that is not in force yet. */
  withdraw(hash: string, reader: Reader): Promise<void>;
  /** Finishes the move that a commit has started for a record, if there is one. */
  resume(hash: string): Promise<void>;
  /** Finishes the moves of a record and of those that it corrects. */
  resumeAll(hash: string): Promise<void>;
  /** Finishes interrupted corrections and withdraws those that nobody confirmed. */
  job: Job;
  undoers: Undoers;
}

export function createCorrection(options: CorrectionOptions): Correction {
  const { kv, clock } = options;
  return {
    start: (hash, enquiry, reader) => startCorrection(options, hash, enquiry, reader),
    settle: (hash) => settle(options, hash),
    withdraw: (hash, reader) => withdraw(options, hash, reader),
    resume: (hash) => finishMove(options, hash),
    async resumeAll(hash) {
      for (let each: string | null = hash; each !== null;) {
        await finishMove(options, each);
        const { value }: Deno.KvEntryMaybe<RecordRow> = await recordRows.get(kv, each);
        each = value?.replaces ?? null;
      }
    },
    async open(session, hash) {
      const record = await readRecord(kv, hash);
      const to = record?.row.correction?.to;
      if (to === undefined) return fail("not_found");
      await openCorrection(kv, session, to, clock());
      return { ok: true };
    },
    async waiting(record) {
      const to = record.row.correction && await readRecord(kv, record.row.correction.to);
      return to ? { to, waitsFor: stillWaiting(record, to) } : null;
    },
    async mayConfirmNumber(record) {
      if (!await waitsToCorrect(kv, record)) return true;
      const old = await readRecord(kv, record.row.replaces!);
      return old !== null && stillWaiting(old, record) === "mobile";
    },
    job: {
      name: "corrections",
      everyMs: MINUTE_MS,
      maxMs: MINUTE_MS,
      async run(context) {
        const step = ({ value }: { value: CorrectionWork }, hash: string) =>
          continueWork(options, hash, value);
        const finished = await sweepRows<CorrectionWork>(kv, corrections.prefix, context, step);
        return `${finished} finished`;
      },
    },
    undoers: { cancel_correction: createUndoCorrection(options) },
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
    await settle(options, hash);
    return false;
  }
  return true;
}
