import { isoAfter, transact } from "../../platform/kv/mod.ts";
import {
  conditionsOf,
  deletions,
  levelOf,
  moveRecovery,
  readCurrentRecord,
  readRecord,
  type RecordRow,
  recordRows,
  UNDO_LIFETIME_MS,
  waitsToCorrect,
} from "../records/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS } from "../../base/time.ts";
import type { Migration } from "../../platform/store/mod.ts";
import { passkeys } from "./store.ts";

/** How long a deletion waited before format 4. */
const OLD_DELAY_MS = DAY_MS;

/**
 * Brings the deletions, recoveries and corrections that are in progress to format 4: requested
 * deletions wait for seven days instead of one, those of corrections that are not in force are
 * cancelled, recoveries belong to the record in force, and such corrections have no passkeys. There
 * are few of them, so this is one batch. It belongs to this feature because it deletes passkeys.
 */
export const recordsInProgressMigration = (
  { kv, secrets, clock }: { kv: Deno.Kv; secrets: Secrets; clock: () => number },
): Migration => ({
  name: "records",
  format: 4,
  before: "a request could meet a row that this version does not understand",
  step: {
    async batch() {
      for (const hash of await hashesOf(kv, deletions.prefix)) await extendDeletion(kv, hash);
      for (const hash of await hashesOf(kv, "record_recoveries")) {
        const record = await readCurrentRecord(kv, hash);
        if (record === null || record.hash === hash) continue;
        await moveRecovery({ kv, secrets, clock }, hash, record.hash);
      }
      for (const hash of await hashesOf(kv, "record_corrections")) {
        const record = await readRecord(kv, hash);
        if (record?.row.correction) await removePasskeys(kv, record.row.correction.to);
      }
      return { next: null };
    },
  },
});

const hashesOf = (kv: Deno.Kv, prefix: string): Promise<string[]> =>
  Array.fromAsync(kv.list({ prefix: [prefix] }), ({ key }) => String(key[1]));

function extendDeletion(kv: Deno.Kv, hash: string): Promise<void> {
  return transact(async () => {
    const [scheduled, record] = await Promise.all([
      deletions.get(kv, hash),
      readRecord(kv, hash),
    ]);
    const { value } = scheduled;
    if (value === null || value.begun || value.requested_at !== undefined || record === null) {
      return { result: undefined };
    }
    const commit = kv.atomic().check(scheduled, record.contact, record.entry);
    if (await waitsToCorrect(kv, record)) {
      recordRows.put(commit, [hash], { ...record.row, deletion_at: null });
      commit.delete(scheduled.key);
    } else {
      const requested = Date.parse(value.due) - OLD_DELAY_MS;
      const due = isoAfter(requested, UNDO_LIFETIME_MS);
      recordRows.put(commit, [hash], { ...record.row, deletion_at: due });
      deletions.put(commit, [hash], { due, requested_at: isoAfter(requested, 0) });
    }
    return { result: undefined, commit };
  });
}

async function removePasskeys(kv: Deno.Kv, hash: string): Promise<void> {
  await passkeys.deleteOf(kv, hash);
  await transact(async () => {
    const record = await readRecord(kv, hash);
    if (record === null || record.row.passkeys === 0) return { result: undefined };
    const row: RecordRow = { ...record.row, passkeys: 0 };
    row.level = levelOf(conditionsOf({ contact: record.contact, row }));
    const commit = kv.atomic().check(record.contact);
    recordRows.replace(commit, record.entry, row);
    return { result: undefined, commit };
  });
}
