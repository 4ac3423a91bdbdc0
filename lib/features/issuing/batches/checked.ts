/** Keeps checked files until an administrator issues or discards them. */
import { fail, type Failure } from "../../../base/result.ts";
import { inUnit, transact } from "../../../platform/kv/mod.ts";
import { modeOf } from "../../documents/mod.ts";
import { addBatchAudit } from "./audit.ts";
import type { CheckedRow } from "./check.ts";
import { countBatch } from "./limits.ts";
import {
  batches,
  batchesLike,
  type BatchLine,
  batchLines,
  type BatchRow,
  hasBegun,
  isOther,
  readBatch,
  type RowProblem,
  undeliveredLines,
  unfinished,
} from "./rows.ts";
import { titleOf } from "./input.ts";
import { type BatchOwner, type BatchRef, type BatchResult, isOf } from "./owner.ts";
import type { StepOptions } from "./steps.ts";
import { removeRemnants, showBatch, storeRows } from "./store_rows.ts";
import { findingsIn } from "./warnings.ts";

/**
 * Checked files that an administrator looks at before their documents are issued. They are batches in the state
 * `checked`, with all their rows, so that nothing is sent again; whoever issues one only changes its state.
 */
export interface CheckedBatches {
  /** Stores a checked file for a day. Fails with `conflict` if too many of the issuer wait. */
  keep(
    owner: BatchOwner,
    file: {
      title?: string;
      name: string;
      by: string;
      rows: readonly CheckedRow[];
      leftOut?: readonly RowProblem[];
    },
  ): Promise<BatchResult>;
  /** Reads a batch of an issuer, live or a test, whether or not it has begun; null if it has none with this id. */
  find(issuer: string, id: string): Promise<BatchRow | null>;
  /** Returns those of an issuer, the newest first. */
  list(owner: BatchRef): Promise<BatchRow[]>;
  /** Returns the newest batch that has begun with the same rows, and was not undone; null if there is none. */
  issuedBefore(batch: BatchRow): Promise<BatchRow | null>;
  /** Begins to issue the documents. If they are being issued already, nothing changes. */
  issue(owner: BatchOwner, id: string, by: string): Promise<BatchResult>;
  /** Removes one. If it has begun, nothing changes. */
  discard(owner: BatchRef, id: string): Promise<void>;
  /** Makes the certificate of a row, without its number; null if the row is issued or has failed. */
  certificate(
    owner: BatchOwner,
    line: BatchLine,
  ): Promise<{ ok: true; bytes: Uint8Array<ArrayBuffer> } | Failure | null>;
  /** Reads some rows of a batch, without those that do not exist. */
  rows(batch: BatchRow, numbers: readonly number[]): Promise<BatchLine[]>;
  /** Reads the rows of a batch whose mail did not arrive, from the row with a number on. */
  undelivered(batch: BatchRow, page: { from: number; limit: number }): Promise<BatchLine[]>;
}

export function createCheckedBatches(
  options: Pick<StepOptions, "kv" | "clock" | "make"> & { nudge(): void },
): CheckedBatches {
  const { kv, clock, make, nudge } = options;
  return {
    async keep({ issuer, test }, { title, name, by, rows, leftOut = [] }) {
      const about = { issuer: issuer.id, organisation: issuer.organisation, test, by };
      const found = findingsIn(rows, leftOut, clock());
      const batch = { ...about, title: title ?? titleOf(rows), file_name: name, found };
      const added = await storeRows(options, batch, rows, "checked");
      if (!added.ok) return added;
      return await inUnit(options, (unit) => showBatch(kv, unit, added.stored, "checked"));
    },
    async find(issuer, id) {
      const value = await readBatch(kv, id);
      return value?.issuer === issuer && value.state !== "storing" ? value : null;
    },
    async list({ issuer, test }) {
      const open = await unfinished(kv, [issuer.id, modeOf({ test })]);
      return open.map(({ value }) => value).filter(({ state }) => state === "checked")
        .sort(newestFirst);
    },
    issuedBefore: async (batch) =>
      (await batchesLike(kv, batch)).map(({ value }) => value)
        .filter((other) => hasBegun(other) && isOther(batch, other))
        .sort(newestFirst)[0] ?? null,
    async issue(owner, id, by) {
      const result = await transact<BatchResult>(async () => {
        const entry = await batches.get(kv, id);
        const { value } = entry;
        if (!isOf(owner, value) || value.state === "storing") return { result: fail("not_found") };
        if (hasBegun(value)) return { result: { ok: true, batch: value } };
        if (owner.issuer.state !== "active") {
          return { result: fail("conflict", { message: NOT_ACTIVE }) };
        }
        const now = clock();
        const commit = kv.atomic().check(entry);
        const created_at = new Date(now).toISOString();
        const batch: BatchRow = { ...value, state: "issuing", found: null, by, created_at };
        const refused = await countBatch(kv, commit, batch, now);
        if (refused !== null) return { result: refused };
        batches.delete(commit, value);
        batches.set(commit, batch, now);
        addBatchAudit(commit, batch, { by, action: "batch_added" }, now);
        return { result: { ok: true, batch }, commit };
      });
      if (result.ok) nudge();
      return result;
    },
    async discard(owner, id) {
      const { value } = await batches.get(kv, id);
      if (isOf(owner, value)) await removeRemnants(options, id);
    },
    certificate: async ({ issuer, test }, { values }) => values && await make(issuer, values, test),
    async rows({ id }, numbers) {
      const found = await batchLines.getMany(kv, numbers.map((n): [string, number] => [id, n]));
      return found.map(({ value }) => value);
    },
    undelivered: (batch, page) => undeliveredLines(kv, batch, page),
  };
}

const newestFirst = (a: BatchRow, b: BatchRow): number => a.created_at < b.created_at ? 1 : -1;

const NOT_ACTIVE = "The issuer is not active, so it cannot issue documents.";
