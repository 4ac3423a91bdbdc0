/** Stores the rows of a new batch in parts, invisible until all are stored, and removes incomplete ones. */
import { attemptOnce, isoAfter, type UnitOfWork } from "../../../platform/kv/mod.ts";
import { DAY_MS, MINUTE_MS } from "../../../base/time.ts";
import type { Failure } from "../../../base/result.ts";
import { sha256 } from "../../../platform/kv/hash.ts";
import { canonical } from "../canonical.ts";
import type { CheckedRow } from "./check.ts";
import { beginBatch, TOO_LATE } from "./limits.ts";
import { batches, type BatchLine, batchLines, type BatchRow, hasBegun, keptFor } from "./rows.ts";

/** How many rows one commit stores. The longest ones have about 400 KB together. */
const ROWS_PER_COMMIT = 100;

/** How long storing the rows of a batch may take. After that they are removed. */
export const STORING_MS = 15 * MINUTE_MS;

/** How long a checked file waits until somebody issues it. After that it is removed. */
export const CHECKED_MS = DAY_MS;

/** A batch that is added. */
type NewBatch =
  & Pick<
    BatchRow,
    "issuer" | "organisation" | "test" | "by" | "file_name" | "title" | "found"
  >
  & {
    id?: string;
    /** False to refuse what repeats an earlier batch. Default: true. */
    allowDuplicate?: boolean;
  };

type Store = { kv: Deno.Kv; clock: () => number };

/** A batch whose rows are stored, and that nobody sees yet. */
export type StoredBatch = Deno.KvEntry<BatchRow>;

/**
 * Stores the rows of a batch, in many commits. As long as it is in the state `storing`, nobody sees it.
 *
 * @param as the state that it will have
 */
export async function storeRows(
  { kv, clock }: Store,
  { id = crypto.randomUUID(), allowDuplicate = true, ...about }: NewBatch,
  rows: readonly CheckedRow[],
  as: "issuing" | "checked",
): Promise<{ ok: true; stored: StoredBatch } | Failure> {
  const now = clock();
  const expires_at = isoAfter(now, keptFor(about));
  const value: BatchRow = {
    ...about,
    id,
    state: "storing",
    fingerprint: sha256(canonical(rows.map(({ document }) => document))),
    rows: rows.length,
    people: new Set(rows.map(({ document: { email } }) => email)).size,
    at: 0,
    issued: 0,
    failed: 0,
    sent: 0,
    removed: 0,
    kept: 0,
    returned: 0,
    accepted: { sent: 0, returned: 0 },
    stopped_at: null,
    created_at: new Date(now).toISOString(),
    send_at: null,
    sending_at: null,
    finished_at: null,
    expires_at,
  };
  const begun = await beginBatch({ kv, clock }, { batch: value, allowDuplicate }, as);
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
        mail: null,
        expires_at,
      };
      batchLines.set(commit, row, now);
    });
    if (!(await commit.commit()).ok) return TOO_LATE;
  }
  return { ok: true, stored: entry };
}

/** Adds to a unit that a batch is in a state, so that it is seen. */
export async function showBatch(
  kv: Deno.Kv,
  { commit, now }: UnitOfWork,
  stored: StoredBatch,
  state: "issuing" | "checked",
): Promise<{ ok: true; batch: BatchRow } | Failure> {
  const batch: BatchRow = { ...stored.value, state };
  batches.delete(commit.check(stored), stored.value);
  batches.set(commit, batch, now);
  const { versionstamp } = await batches.get(kv, batch.id);
  return versionstamp === stored.versionstamp ? { ok: true, batch } : TOO_LATE;
}

/**
 * Removes a batch that has not begun: whose rows were not stored completely, or that nobody issues. If it is
 * interrupted, it continues when it runs again.
 */
export async function removeRemnants({ kv, clock }: Store, id: string): Promise<void> {
  const batch = await attemptOnce(async () => {
    const entry = await batches.get(kv, id);
    if (entry.value === null || hasBegun(entry.value)) return { result: null };
    // The change ends the storing, whose commits check the row, and nobody can issue it any more.
    const commit = kv.atomic();
    const removed: BatchRow = { ...entry.value, state: "storing" };
    batches.replace(commit, entry, removed, clock());
    return { result: removed, commit };
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
