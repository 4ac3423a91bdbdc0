import type { ContactIndex } from "../contact/mod.ts";
import { type JobContext, sweepRows } from "../../platform/jobs/mod.ts";
import { isoAfter, transact, whenUnlocked } from "../../platform/kv/mod.ts";
import type { Mailer, QueuedMail } from "../../platform/mail/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { addAccess, type Reader } from "./access_log.ts";
import { eraseRecord } from "./erase.ts";
import type { LinkedData, Undoers } from "./linked.ts";
import { DELETION_DELAY_MS, type Notices } from "./notice_mails.tsx";
import { endAllSessions } from "./sessions.ts";
import { readRecord, type RecordEntry, recordKey, type RecordRow } from "./store.ts";

export interface DeletionOptions {
  kv: Deno.Kv;
  clock: () => number;
  index: ContactIndex;
  mailer: Mailer;
  notices: Notices;
  linked: () => readonly LinkedData[];
}

/** The deletion of records (design, sections 11 and 15). */
export interface Deletion {
  /**
   * Closes a record and schedules its deletion, so that a stolen session cannot destroy it at once:
   * ends every session and mails a notice with a link that cancels the deletion.
   *
   * @returns when it will be deleted, ISO 8601 in UTC
   */
  request(hash: string, reader: Reader): Promise<{ ok: true; at: string } | Failure<"not_found">>;
  /** Cancels a scheduled deletion. Succeeds if there is none; fails once it has begun. */
  cancel(hash: string, reader: Reader): Promise<{ ok: true } | Failure<"not_found" | "conflict">>;
  /**
   * Deletes everything that is stored about the person of a record, and of every record that it
   * corrects or that corrects it. The chains remain: they contain no personal data.
   *
   * @param addToCommit adds to the commit that begins the deletion
   * @returns the number of records that were deleted
   */
  deleteRecord(
    hash: string,
    addToCommit?: (commit: Deno.AtomicOperation) => void,
  ): Promise<number>;
  /**
   * Deletes the records that are due, and finishes deletions that were interrupted. Returns the
   * number of records.
   */
  deleteDue(context: JobContext): Promise<number>;
  undoers: Undoers;
}

/** A scheduled deletion, or one in progress, at `["record_deletions", hash]`. */
interface Scheduled {
  due: string;
  /** True if it has begun, so that it can no longer be cancelled. */
  begun?: true;
}

const TOO_LATE = { message: "It is too late: your record is being deleted." };

const PREFIX = "record_deletions";
const scheduledKey = (hash: string): Deno.KvKey => [PREFIX, hash];

export function createDeletion(options: DeletionOptions): Deletion {
  const { kv, clock, index, mailer, notices, linked } = options;

  /** Adds the cancellation of a deletion to a commit. Returns false if there is nothing to cancel. */
  async function keep(
    commit: Deno.AtomicOperation,
    { hash, entry, contact, row }: RecordEntry,
  ): Promise<boolean> {
    if (!row.deletion_at) return false;
    const scheduled = await kv.get<Scheduled>(scheduledKey(hash));
    if (scheduled.value?.begun) return false;
    commit.check(entry, contact, scheduled)
      .set(recordKey(hash), { ...row, deletion_at: null })
      .delete(scheduledKey(hash));
    return true;
  }

  /**
   * Erases one record, and then its marker, so that the job finishes an interrupted deletion.
   */
  async function erase(hash: string): Promise<boolean> {
    const existed = await eraseRecord({ kv, index, linked }, hash);
    await whenUnlocked(() => kv.delete(scheduledKey(hash)));
    return existed;
  }

  /**
   * Marks records for deletion in one commit.
   *
   * @param options.scheduled the entry of a deletion that is due; it may have been cancelled since
   * @returns the records to erase, none if the deletion was cancelled
   */
  async function begin(
    hash: string,
    { scheduled, addToCommit }: {
      scheduled?: Deno.KvEntry<Scheduled>;
      addToCommit?: (commit: Deno.AtomicOperation) => void;
    } = {},
  ): Promise<string[]> {
    const hashes = await relatedRecords(kv, hash);
    const due = new Date(clock()).toISOString();
    const commit = kv.atomic();
    if (scheduled !== undefined) commit.check(scheduled);
    for (const each of hashes) {
      commit.set(scheduledKey(each), { due, begun: true } satisfies Scheduled);
    }
    addToCommit?.(commit);
    const { ok } = await whenUnlocked(() => commit.commit());
    return ok ? hashes : [];
  }

  async function eraseAll(hashes: readonly string[]): Promise<number> {
    let count = 0;
    for (const hash of hashes) if (await erase(hash)) count++;
    return count;
  }

  return {
    async request(hash, reader) {
      let mails: QueuedMail[] = [];
      const result = await transact<{ ok: true; at: string } | Failure<"not_found">>(async () => {
        mails = [];
        const record = await readRecord(kv, hash);
        if (record === null) return { result: fail("not_found") };
        const { row, entry, contact } = record;
        if (row.deletion_at) return { result: { ok: true as const, at: row.deletion_at } };
        const now = clock();
        const at = isoAfter(now, DELETION_DELAY_MS);
        const closed: RecordRow = { ...row, deletion_at: at };
        const commit = kv.atomic().check(entry, contact)
          .set(recordKey(hash), closed)
          .set(scheduledKey(hash), { due: at } satisfies Scheduled);
        addAccess(commit, hash, { what: "deletion_requested", reader }, now);
        const undo = { act: "cancel_deletion" } as const;
        mails = await notices.add(commit, { record, kind: "deletion", undo, reader }, now);
        return { result: { ok: true as const, at }, commit };
      });
      if (result.ok) await endAllSessions(kv, hash);
      mailer.send(mails);
      return result;
    },
    cancel: (hash, reader) =>
      transact<{ ok: true } | Failure<"not_found" | "conflict">>(async () => {
        const record = await readRecord(kv, hash);
        if (record === null) return { result: fail("not_found") };
        const commit = kv.atomic();
        if (await keep(commit, record)) {
          addAccess(commit, hash, { what: "deletion_cancelled", reader }, clock());
        } else if (record.row.deletion_at) return { result: fail("conflict", TOO_LATE) };
        return { result: { ok: true as const }, commit };
      }),
    deleteRecord: async (hash, addToCommit) => await eraseAll(await begin(hash, { addToCommit })),
    async deleteDue(context) {
      let count = 0;
      await sweepRows<Scheduled>(kv, PREFIX, context, async (scheduled, hash) => {
        if (clock() < Date.parse(scheduled.value.due)) return false;
        count += await eraseAll(await begin(hash, { scheduled }));
        return true;
      });
      return count;
    },
    undoers: {
      cancel_deletion: (commit, { record }) => keep(commit, record),
    },
  };
}

/** Returns a record with every record that it corrects or that corrects it, in any order. */
async function relatedRecords(kv: Deno.Kv, hash: string): Promise<string[]> {
  const found = new Set([hash]);
  for (const each of found) {
    const { value: row } = await kv.get<RecordRow>(recordKey(each));
    for (const other of [row?.replaces, row?.replaced_by, row?.correction?.to]) {
      if (other) found.add(other);
    }
  }
  return [...found];
}
