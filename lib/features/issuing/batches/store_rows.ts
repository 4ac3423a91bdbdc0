import { attemptOnce, isoAfter } from "../../../platform/kv/mod.ts";
import { MINUTE_MS } from "../../../base/time.ts";
import { fail, type Failure } from "../../../base/result.ts";
import type { CheckedRow } from "./check.ts";
import { beginBatch } from "./limits.ts";
import { batches, type BatchLine, batchLines, type BatchRow, keptFor } from "./rows.ts";

/** How many rows one commit stores. The longest ones have about 400 KB together. */
const ROWS_PER_COMMIT = 100;

/** How long storing the rows of a batch may take. After that they are removed. */
export const STORING_MS = 15 * MINUTE_MS;

/** A batch that is added. */
export type NewBatch =
  & Pick<BatchRow, "issuer" | "organisation" | "test" | "by" | "file_name" | "fingerprint">
  & {
    id?: string;
    /** False to refuse what repeats an earlier batch. Default: true. */
    allowDuplicate?: boolean;
  };

/**
 * Stores the rows of a batch, in many commits. Until the batch is in the state `issuing`, nobody sees it.
 *
 * @returns the entry of the batch, which the last commit checks
 */
export async function storeRows(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  { id = crypto.randomUUID(), allowDuplicate = true, ...about }: NewBatch,
  rows: readonly CheckedRow[],
): Promise<{ ok: true; entry: Deno.KvEntry<BatchRow> } | Failure> {
  const now = clock();
  const expires_at = isoAfter(now, keptFor(about));
  const value: BatchRow = {
    ...about,
    id,
    state: "storing",
    rows: rows.length,
    at: 0,
    issued: 0,
    failed: 0,
    sent: 0,
    removed: 0,
    kept: 0,
    created_at: new Date(now).toISOString(),
    send_at: null,
    sending_at: null,
    finished_at: null,
    expires_at,
  };
  const begun = await beginBatch({ kv, clock }, { batch: value, allowDuplicate });
  if (!begun.ok) return begun;
  const { entry } = begun;
  for (let start = 0; start < rows.length; start += ROWS_PER_COMMIT) {
    // Once the job has removed the batch, nothing more is stored.
    const commit = kv.atomic().check(entry);
    rows.slice(start, start + ROWS_PER_COMMIT).forEach(({ line, document }, i) => {
      const row: BatchLine = {
        batch: id,
        n: start + i,
        line,
        state: "waiting",
        external_id: document.external_id ?? null,
        values: document,
        document: null,
        problem: null,
        expires_at,
      };
      batchLines.set(commit, row, now);
    });
    if (!(await commit.commit()).ok) return fail("unavailable");
  }
  return begun;
}

/** Removes a batch whose rows were not stored completely. If it is interrupted, it continues when it runs again. */
export async function removeRemnants(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  id: string,
): Promise<void> {
  const batch = await attemptOnce(async () => {
    const entry = await batches.get(kv, id);
    if (entry.value?.state !== "storing") return { result: null };
    // The change ends the storing, whose commits check the row.
    const commit = kv.atomic();
    batches.replace(commit, entry, entry.value, clock());
    return { result: entry.value, commit };
  });
  if (batch === null) return;
  for (let more = true; more;) {
    const rows = await Array.fromAsync(batchLines.list(kv, [id], { limit: ROWS_PER_COMMIT }));
    const commit = kv.atomic();
    for (const { value } of rows) batchLines.delete(commit, value);
    if (rows.length < ROWS_PER_COMMIT) {
      batches.delete(commit, batch);
      more = false;
    }
    await commit.commit();
  }
}
