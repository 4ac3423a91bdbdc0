/**
 * Issuing documents in bulk: a file with a row for each document, checked as a whole, as one job that can be
 * undone until the mails are sent.
 *
 * @module
 */
import { fail, type Failure, rateLimited } from "../../../base/result.ts";
import { normaliseEmail } from "../../../base/email.ts";
import { MINUTE_MS, SECOND_MS } from "../../../base/time.ts";
import type { Job } from "../../../platform/jobs/mod.ts";
import { inUnit, takeSlot, transact, type UnitOfWork } from "../../../platform/kv/mod.ts";
import type { AuditAction } from "../../audit/mod.ts";
import { endOf, expiryProblem } from "../../documents/mod.ts";
import type { IssuerRow } from "../../issuers/mod.ts";
import { INVALID } from "../problems.ts";
import { addBatchAudit } from "./audit.ts";
import { type CheckCertificates, type CheckedFile, type CheckedRow, checkFile } from "./check.ts";
import { type CheckedBatches, createCheckedBatches } from "./checked.ts";
import type { BatchDefaults, BatchDocument } from "./columns.ts";
import { titleOf } from "./input.ts";
import { type BatchOwner, type BatchRef, type BatchResult, isOf } from "./owner.ts";
import {
  batches,
  batchesOf,
  type BatchLine,
  batchLines,
  type BatchRow,
  hasBegun,
  isDue,
  isFinished,
  readBatch,
  unfinished,
} from "./rows.ts";
import type { Chunks } from "./records.ts";
import { checkLimits, TOO_MANY_CHECKS } from "./limits.ts";
import type { StopReason } from "./object.ts";
import { removeRemnants, showBatch, type StoredBatch, storeRows } from "./store_rows.ts";
import { createWork, type WorkOptions } from "./work.ts";
import { endStopAlert } from "./returned.ts";

export { type CheckedRow, isMissingShared, MAX_ROWS } from "./check.ts";
export { batchDefaults, type SharedColumn } from "./columns.ts";
export {
  batchCheckSchema,
  batchListSchema,
  batchObjectSchema,
  rowProblems,
  type StopReason,
} from "./object.ts";
export { MAX_FILE, MAX_LINES } from "./records.ts";
export { keepCsv } from "../http/csv_body.ts";
export {
  type BatchAct,
  batchActSchema,
  batchCheckInput,
  batchFormSchema,
  newBatchSchema,
} from "./input.ts";
export {
  batchLimits,
  checkLimits,
  CHECKS_PER_HOUR,
  MAX_CHECKED,
  MAX_ROWS_A_DAY,
  MAX_UNFINISHED,
} from "./limits.ts";
export type { BatchOwner, BatchResult } from "./owner.ts";
export {
  batches as batchTable,
  type BatchLine,
  batchLines,
  type BatchRow,
  isDue,
  isFinished,
  isTooMany,
  type RowProblem,
  type RowState,
} from "./rows.ts";
export { CHECKED_MS, STORING_MS } from "./store_rows.ts";
export { noteLostMail, noteReturnedMail } from "./returned.ts";
export { HOLD_MS, RETURNED_MS, STOPPED_MS } from "./work.ts";

/** The most files that a process checks at the same time, one of each issuer. */
const MAX_CHECKS = 4;
const CHECK_AGAIN_MS = 2 * SECOND_MS;

/** The most batches that a list has. */
const MAX_LISTED = 100;

/** The name of the job that works on batches. */
export const BATCHES_JOB = "batches";

/** A checked file whose documents are issued. */
interface AddedFile {
  name: string | null;
  /** The email address of the administrator, or `key` and the id of the issuer's key. */
  by: string;
  rows: readonly CheckedRow[];
  /** False to refuse the same rows again. Default: true. */
  allowDuplicate?: boolean;
}

/** The batches: files whose rows become documents. */
export interface Batches {
  /**
   * Checks a file as a whole. Fails with `invalid_rows`, whose `details` name every faulty row, and with
   * `rate_limited` while another file of the issuer is checked, or after {@link CHECKS_PER_HOUR}.
   *
   * @param options.leaveOut whether rows whose only problem is that they cannot be printed are left out
   */
  check(
    issuer: IssuerRow,
    body: Chunks,
    defaults: BatchDefaults,
    options?: { leaveOut?: boolean },
  ): Promise<CheckedFile>;
  /**
   * Stores the rows of a checked file. Nothing is issued, and nobody sees them, until the batch begins. If it does not
   * begin within a while, they are removed.
   *
   * Fails with `duplicate_batch` if the same rows of the same key have begun a batch within ten minutes, and
   * with `unavailable` while they are being stored.
   */
  store(
    owner: BatchOwner,
    file: AddedFile,
  ): Promise<{ ok: true; stored: StoredBatch } | Failure>;
  write: {
    /** Begins to issue the documents of a stored file. */
    begin(unit: UnitOfWork, stored: StoredBatch): Promise<BatchResult>;
  };
  /** Stores a checked file, and begins to issue its documents. */
  add(owner: BatchOwner, file: AddedFile): Promise<BatchResult>;
  /** The files that an administrator looks at before they are issued. */
  checked: CheckedBatches;
  /** Reads a batch of an issuer; null if it has none with this id. */
  read(owner: BatchRef, id: string): Promise<BatchRow | null>;
  /** Returns the newest batches of an issuer. */
  list(owner: BatchRef, limit?: number): Promise<BatchRow[]>;
  /**
   * Sends the mails without waiting any longer. If the batch has stopped because its key was revoked, it
   * continues for the one who asks. Fails with `conflict` if it was undone, or its issuer is suspended.
   */
  send(owner: BatchOwner, id: string, by: string): Promise<BatchResult>;
  /** Stops a batch, and erases its documents. Fails with `conflict` once mails are due. */
  cancel(owner: BatchOwner, id: string, by: string): Promise<BatchResult>;
  /** Counts also the rows that are being handled, so that the numbers agree with the states of all rows. */
  progress(batch: BatchRow): Promise<BatchRow>;
  /** Returns why a batch does not continue by itself; null if it does. */
  stopReason(
    owner: BatchOwner,
    batch: BatchRow,
  ): Promise<StopReason | null>;
  /**
   * Lists the rows of a batch, in the order of the file.
   *
   * @param from the number of the first one, from 0
   */
  lines(batch: BatchRow, from?: number): AsyncIterable<BatchLine>;
  /** Erases what waiting rows say about the owner of an address. Returns how many there were. */
  forget(email: string): Promise<number>;
  job: Job;
}

export interface BatchesOptions extends WorkOptions {
  /** Returns what is wrong with the certificate of each document, by column. */
  checkDocuments(
    issuer: IssuerRow,
    documents: readonly BatchDocument[],
  ): ReturnType<CheckCertificates>;
  /** Runs the job soon. */
  nudge(): void;
}

/** Creates the batches of issuers. The caller runs their job. */
export function createBatches(options: BatchesOptions): Batches {
  const { kv, clock, checkDocuments, nudge, isRevoked } = options;
  const work = createWork(options);
  /** The ids of the issuers whose files are checked. */
  const checking = new Set<string>();

  const isBegun = (owner: BatchRef, row: BatchRow | null): row is BatchRow =>
    isOf(owner, row) && hasBegun(row);

  /** Changes a batch of an issuer. `change` returns the changes, null for none, or why it is refused. */
  const change = async (
    owner: BatchRef,
    { id, by, action }: { id: string; by: string; action: AuditAction },
    decide: (row: BatchRow, now: number) => Partial<BatchRow> | null | Failure,
  ): Promise<BatchResult> => {
    const result = await transact<BatchResult>(async () => {
      const entry = await batches.get(kv, id);
      if (!isBegun(owner, entry.value)) return { result: fail("not_found") };
      const now = clock();
      const changes = decide(entry.value, now);
      if (changes === null) return { result: { ok: true, batch: entry.value } };
      if ("ok" in changes) return { result: changes as Failure };
      const batch = { ...entry.value, ...changes };
      const commit = kv.atomic();
      batches.replace(commit, entry, batch, now);
      addBatchAudit(commit, batch, { by, action }, now);
      if (entry.value.stopped_at !== null) await endStopAlert(kv, commit, batch, by, now);
      return { result: { ok: true, batch }, commit };
    });
    if (result.ok) nudge();
    return result;
  };

  const store: Batches["store"] = async ({ issuer, test }, { name, rows, ...about }) => {
    const { id, organisation } = issuer;
    const batch = { ...about, issuer: id, organisation, test, file_name: name, found: null };
    return await storeRows(options, { ...batch, title: titleOf(rows) }, rows, "issuing");
  };

  const write: Batches["write"] = {
    async begin(unit, stored) {
      const shown = await showBatch(kv, unit, stored, "issuing");
      if (!shown.ok) return shown;
      const { batch } = shown;
      addBatchAudit(unit.commit, batch, { by: batch.by, action: "batch_added" }, unit.now);
      unit.after(nudge);
      return shown;
    },
  };

  return {
    async check(issuer, body, defaults, options) {
      if (checking.has(issuer.id) || checking.size >= MAX_CHECKS) {
        return { ...rateLimited(CHECK_AGAIN_MS), message: BUSY };
      }
      const problemOf = (day: string | undefined) => expiryProblem(endOf(day), clock());
      const expires_on = problemOf(defaults.expires_on);
      if (expires_on !== undefined) {
        return fail("invalid_request", { message: INVALID, issues: { expires_on } });
      }
      checking.add(issuer.id);
      try {
        const counted = await takeSlot(kv, checkLimits.of([issuer.id]), clock);
        if (!counted.ok) return { ...counted, message: TOO_MANY_CHECKS };
        return await checkFile(body, defaults, async (documents) => {
          const checked = await checkDocuments(issuer, documents);
          if (!checked.ok) return checked;
          const issues = documents.map((document, i) => {
            const expires_on = problemOf(document.expires_on);
            return { ...checked.issues[i], ...expires_on !== undefined && { expires_on } };
          });
          return { ok: true, issues };
        }, options);
      } finally {
        checking.delete(issuer.id);
      }
    },
    store,
    write,
    async add(owner, file) {
      const added = await store(owner, file);
      return added.ok ? await inUnit(options, (unit) => write.begin(unit, added.stored)) : added;
    },
    checked: createCheckedBatches(options),
    async read(owner, id) {
      const value = await readBatch(kv, id);
      return isBegun(owner, value) ? value : null;
    },
    list: ({ issuer, test }, limit = MAX_LISTED) =>
      batchesOf(kv, { issuer: issuer.id, test }, limit),
    send: (owner, id, by) =>
      change(owner, { id, by, action: "batch_sent" }, (row, now) => {
        const { state } = row;
        if (state === "undoing" || state === "undone") return conflict(UNDONE);
        if (row.stopped_at !== null) {
          const { sent, returned } = row;
          return { stopped_at: null, accepted: { sent, returned }, by };
        }
        if (state === "sending" || state === "done") return null;
        if (owner.issuer.state === "suspended") return conflict(SUSPENDED);
        return { send_at: new Date(now).toISOString(), by };
      }),
    cancel: (owner, id, by) =>
      change(owner, { id, by, action: "batch_undone" }, (row, now) => {
        const { state } = row;
        if (state === "undoing" || state === "undone") return null;
        if (row.stopped_at !== null) return { state: "undoing", at: 0, stopped_at: null };
        if (isDue(row, now) || state === "sending" || state === "done") return conflict(SENT);
        return { state: "undoing", at: 0 };
      }),
    progress: work.progress,
    async stopReason({ issuer }, batch) {
      if (isFinished(batch) || batch.state === "undoing") return null;
      if (issuer.state === "suspended") return "issuer_suspended";
      if (await isRevoked(batch)) return "key_revoked";
      return batch.stopped_at === null ? null : "mail_returned";
    },
    async *lines({ id }, from = 0) {
      const range = { prefix: batchLines.key(id, 0).slice(0, -1), start: batchLines.key(id, from) };
      for await (const { value } of kv.list<BatchLine>(range)) yield value;
    },
    async forget(email) {
      const normal = normaliseEmail(email);
      let forgotten = 0;
      for (const { value: { id, state } } of await unfinished(kv)) {
        // More of its rows may be stored meanwhile, so it ends. The response asks its sender to try again.
        const isStoring = state === "storing";
        for await (const { value } of batchLines.list(kv, [id])) {
          if (value.values?.email !== normal) continue;
          forgotten++;
          if (isStoring) continue;
          await transact(async () => {
            const entry = await batchLines.get(kv, id, value.n);
            if (entry.value?.state !== "waiting") return { result: undefined };
            const commit = kv.atomic();
            const row = {
              ...entry.value,
              state: "failed" as const,
              values: null,
              problem: FORGOTTEN,
            };
            batchLines.replace(commit, entry, row, clock());
            return { result: undefined, commit };
          });
        }
        if (isStoring) await removeRemnants(options, id);
      }
      return forgotten;
    },
    job: {
      name: BATCHES_JOB,
      title: "Documents in bulk",
      everyMs: 30 * SECOND_MS,
      resumeMs: SECOND_MS,
      maxMs: 2 * MINUTE_MS,
      async run({ signal }) {
        const count = await work.run(signal);
        if (signal.aborted) nudge();
        return `${count} batches in progress`;
      },
    },
  };
}

const conflict = (message: string) => fail("conflict", { message });

const BUSY = "Another file is being checked. Send this one again in a few seconds.";
const SUSPENDED = "The issuer is suspended, so its emails are not sent.";
const UNDONE = "This batch was undone.";
const SENT =
  "The emails of this batch are being sent, were or are due, so it cannot be undone. Withdraw " +
  "documents instead.";
const FORGOTTEN = { error: "recipient_forgotten", message: "The recipient asked to be forgotten." };
