/** Counts the mails of a batch that come back, and alerts administrators when there are too many. */
import type { AddToLoss, AddToReturn } from "../../../platform/mail/mod.ts";
import { addAlert, setAlertState } from "../../alerts/mod.ts";
import { MAIL_RETURNED } from "../../mail_reports/mod.ts";
import { batches, batchLines, type BatchRow, isTooMany } from "./rows.ts";

interface Store {
  kv: Deno.Kv;
  clock: () => number;
}

/** Notes in the row of a batch why the mail to its recipient did not arrive. */
async function noteMail(
  { kv, clock }: Store,
  commit: Deno.AtomicOperation,
  { batch, row, reason }: { batch: string; row: string; reason: string },
): Promise<void> {
  const entry = await batchLines.get(kv, batch, Number(row));
  commit.check(entry);
  if (entry.value === null) return;
  batchLines.replace(commit, entry, { ...entry.value, mail: reason }, clock());
}

/** Notes the mails of a batch that were given up. */
export const noteLostMail = (store: Store): AddToLoss => async (commit, { batch, row, reason }) => {
  if (batch === undefined || row === undefined) return;
  await noteMail(store, commit, { batch, row, reason });
};

/**
 * Counts the mails of a batch that came back. If there are too many, its job stops it; if all mails were sent,
 * administrators only learn of it. A mail that is tried again because its sender is blocked has not failed yet.
 */
export const noteReturnedMail =
  (store: Store): AddToReturn => async (commit, { batch, row, reason, what, isReported }) => {
    if (batch === undefined || row === undefined) return;
    if (isReported) await noteMail(store, commit, { batch, row, reason });
    if (what === "soft") return;
    const entry = await batches.get(store.kv, batch);
    commit.check(entry);
    if (entry.value === null) return;
    const after = { ...entry.value, returned: entry.value.returned + 1 };
    const now = store.clock();
    batches.replace(commit, entry, after, now);
    const isLate = after.state === "done" && isTooMany(after) && !isTooMany(entry.value);
    if (isLate) await addReturnedAlert(store.kv, commit, after, now);
  };

const problemOf = ({ organisation, id }: BatchRow) => ({
  organisation,
  kind: MAIL_RETURNED,
  problem: `batch/${id}`,
});

/** Adds the alert about a batch of which too many mails came back. */
export const addReturnedAlert = (
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  batch: BatchRow,
  now: number,
): Promise<void> =>
  addAlert(kv, commit, {
    ...problemOf(batch),
    links: { issuer: batch.issuer },
    details: {
      why: batch.state === "done"
        ? "emails of a batch of documents"
        : "emails of a batch of documents, which has stopped",
      batch: batch.id,
    },
  }, now);

/** Ends that alert, because somebody has decided. */
export async function endStopAlert(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  batch: BatchRow,
  by: string,
  now: number,
): Promise<void> {
  await setAlertState(kv, commit, problemOf(batch), { state: "done", by, now });
}
