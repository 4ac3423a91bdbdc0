/** The background work on batches: issues documents, waits, mails the recipients, or undoes everything. */
import { inTime } from "../../../base/in_time.ts";
import { createSlots } from "../../../base/slots.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../../base/time.ts";
import { inUnit, isLive, isoAfter, type UnitOfWork } from "../../../platform/kv/mod.ts";
import type { IssuerRow, Issuers } from "../../issuers/mod.ts";
import {
  batches,
  type BatchLine,
  batchLines,
  type BatchRow,
  type BatchState,
  hasBegun,
  isFinished,
  isTooMany,
  type RowState,
  unfinished,
} from "./rows.ts";
import { addReturnedAlert } from "./returned.ts";
import { createSteps, type StepOptions } from "./steps.ts";
import { CHECKED_MS, removeRemnants, STORING_MS } from "./store_rows.ts";

/** How long the mails of a batch wait once its documents are issued. */
export const HOLD_MS = HOUR_MS;

/**
 * How long a batch that has stopped while documents are issued waits for a decision. One whose mails are due is
 * undone at once, so that no document stays without a mail to its recipient.
 */
export const STOPPED_MS = DAY_MS;

/** How long a batch that has stopped because its mails came back waits for a decision. Then it is undone. */
export const RETURNED_MS = 3 * DAY_MS;

/** How many rows are handled before the progress is saved, and the next batch has its turn. */
const CHUNK = 48;

/** How many rows are mailed before the mails that came back are counted. */
const MAILED_CHUNK = 24;

/** How many recipients are handled at the same time. Most rows wait for the store while others are drawn. */
const AT_A_TIME = 16;

/** How long a chunk waits for its mails to be sent, so that they do not fill the memory. */
const MAILS_MS = 10 * SECOND_MS;

/** Adds the event about a finished batch to the unit that finishes it. */
export type AddBatchEvent = (unit: UnitOfWork, batch: BatchRow) => Promise<void>;

export interface WorkOptions extends StepOptions {
  issuers: Pick<Issuers, "read" | "addCheck">;
  addEvent: AddBatchEvent;
}

/** The outcomes of rows that a batch counts, in each of its states. */
const COUNTED: Partial<
  Record<BatchState, readonly ("issued" | "failed" | "sent" | "removed" | "kept")[]>
> = {
  issuing: ["issued", "failed"],
  sending: ["sent"],
  undoing: ["removed", "kept"],
};

/** The states of rows on which a batch still has to work, in each of its states. */
const PENDING: Partial<Record<BatchState, readonly RowState[]>> = {
  issuing: ["waiting"],
  sending: ["issued"],
  undoing: ["waiting", "issued"],
};

/**
 * Does the work of batches. The steps of rows take effect once, so the progress of a batch is only where to
 * continue.
 */
export function createWork(options: WorkOptions) {
  const { kv, clock, mailer, issuers, addEvent, isRevoked } = options;
  const steps = createSteps(options);
  const slots = createSlots(AT_A_TIME);

  /** Changes a batch, unless it is in another state or has continued meanwhile. Returns whether it has changed. */
  async function changeBatch(
    before: BatchRow,
    change: (now: number, row: BatchRow) => Partial<BatchRow>,
  ): Promise<boolean> {
    const done = await inUnit(options, async (unit) => {
      const entry = await batches.get(kv, before.id);
      const { value } = entry;
      if (value?.state !== before.state || value.at !== before.at) return { changed: false };
      const { commit, now } = unit;
      const changed = { ...value, ...change(now, value) };
      batches.delete(commit.check(entry), value);
      batches.set(commit, changed, now);
      const stops = changed.stopped_at !== null && value.stopped_at === null;
      if (stops) await addReturnedAlert(kv, commit, changed, now);
      if (stops || isFinished(changed)) await addEvent(unit, changed);
      return { changed: true };
    });
    return "changed" in done && done.changed;
  }

  function pageOf({ id, at, state }: BatchRow) {
    const limit = state === "sending" ? MAILED_CHUNK : CHUNK;
    return Array.fromAsync(
      kv.list<BatchLine>(
        { prefix: [batchLines.prefix, id], start: batchLines.key(id, at) },
        { limit, batchSize: limit },
      ),
      ({ value }) => value,
    );
  }

  /** Returns what a batch counts if it has handled some more rows. */
  const withRows = (batch: BatchRow, done: readonly BatchLine[]): Partial<BatchRow> => ({
    ...Object.fromEntries(
      (COUNTED[batch.state] ?? []).map((outcome) => [
        outcome,
        batch[outcome] + done.filter(({ state }) => state === outcome).length,
      ]),
    ),
    at: batch.at + done.length,
  });

  /**
   * Handles the next rows of a batch. The outcomes are counted as they are stored, so the numbers are right
   * even if another process has handled some of the rows before it died.
   *
   * @param next what changes after the last row
   * @returns whether there is more to do now
   */
  async function handleRows(
    batch: BatchRow,
    signal: AbortSignal,
    step: (line: BatchLine) => Promise<void>,
    next: (now: number, row: BatchRow) => Partial<BatchRow>,
  ): Promise<boolean> {
    const pendingStates = PENDING[batch.state]!;
    const running = Array.from(
      await steps.byRecipient(await pageOf(batch)),
      (lines) =>
        slots.run(async () => {
          for (const line of lines) {
            if (!signal.aborted) await step(line);
          }
        }),
    );
    await Promise.allSettled(running);
    await Promise.all(running);
    const lines = await pageOf(batch);
    const pending = lines.findIndex((line) => pendingStates.includes(line.state));
    const done = pending < 0 ? lines : lines.slice(0, pending);
    const changes = withRows(batch, done);
    const isLast = pending < 0 && changes.at! >= batch.rows;
    await changeBatch(batch, (now, row) => ({
      ...changes,
      ...isLast && next(now, { ...row, ...changes }),
    }));
    return isLast || done.length > 0;
  }

  const finished = (state: BatchState) => (now: number): Partial<BatchRow> => ({
    state,
    finished_at: new Date(now).toISOString(),
  });

  /** Does the next step of a batch. Returns whether there is more to do now. */
  async function advance(id: string, signal: AbortSignal): Promise<boolean> {
    const { value: batch } = await batches.get(kv, id);
    const now = clock();
    if (batch === null || isFinished(batch) || !isLive(batch, now)) return false;
    if (!hasBegun(batch)) {
      const kept = batch.state === "checked" ? CHECKED_MS : STORING_MS;
      if (now >= Date.parse(batch.created_at) + kept) await removeRemnants(options, id);
      return false;
    }
    if (batch.state === "undoing") {
      return await handleRows(batch, signal, steps.undo, finished("undone"));
    }
    const issuer = await issuers.read(batch.organisation, batch.issuer);
    if (issuer === null || issuer.state === "ended") {
      // Documents that nobody was mailed about are erased.
      return await changeBatch(batch, () => ({ state: "undoing", at: 0 }));
    }
    if (batch.stopped_at !== null) {
      if (now < Date.parse(batch.stopped_at) + RETURNED_MS) return false;
      return await changeBatch(batch, () => ({ state: "undoing", at: 0, stopped_at: null }));
    }
    if (batch.state === "sending" && isTooMany(batch)) {
      return await changeBatch(batch, (now) => ({ stopped_at: new Date(now).toISOString() }));
    }
    if (await isStopped(batch, issuer)) {
      const until = batch.send_at ?? isoAfter(Date.parse(batch.created_at), STOPPED_MS);
      if (now < Date.parse(until)) return false;
      return await changeBatch(batch, () => ({ state: "undoing", at: 0 }));
    }
    switch (batch.state) {
      case "issuing":
        return await handleRows(
          batch,
          signal,
          (line) => steps.issue(batch, issuer, line),
          (now, { issued, send_at }) =>
            issued === 0
              ? finished("done")(now)
              : { state: "holding", send_at: send_at ?? isoAfter(now, HOLD_MS) },
        );
      case "holding": {
        if (now < Date.parse(batch.send_at!)) return false;
        const sending_at = new Date(now).toISOString();
        return await changeBatch(batch, () => ({ state: "sending", at: 0, sending_at }));
      }
      case "sending": {
        const more = await handleRows(
          batch,
          signal,
          (line) => steps.send(batch, line),
          finished("done"),
        );
        await inTime(mailer.flush(), MAILS_MS);
        return more;
      }
    }
    return false;
  }

  /** Returns whether a batch waits until somebody decides about it. */
  const isStopped = async (batch: BatchRow, issuer: IssuerRow): Promise<boolean> =>
    issuer.state === "suspended" || await isRevoked(batch);

  return {
    isStopped,
    async progress(batch: BatchRow): Promise<BatchRow> {
      const pending = PENDING[batch.state];
      if (pending === undefined) return batch;
      const done = (await pageOf(batch)).filter(({ state }) => !pending.includes(state));
      return { ...batch, ...withRows(batch, done) };
    },
    /**
     * Does the work of all batches, a few rows of each in turn.
     *
     * @throws the first error of a batch, after all others have advanced
     */
    async run(signal: AbortSignal): Promise<number> {
      const errors: unknown[] = [];
      let ids = (await unfinished(kv)).map(({ value }) => value.id);
      const count = ids.length;
      while (ids.length > 0 && !signal.aborted) {
        const left: string[] = [];
        for (const id of ids) {
          if (signal.aborted) break;
          try {
            if (await advance(id, signal)) left.push(id);
          } catch (error) {
            errors.push(error);
          }
        }
        ids = left;
      }
      if (errors.length > 0) throw errors[0];
      return count;
    },
  };
}
