/**
 * The end of the requests for a document that was withdrawn.
 *
 * @module
 */
import { z } from "zod";
import { setAlertState } from "../../alerts/mod.ts";
import { type Job, sweepRows } from "../../../platform/jobs/mod.ts";
import {
  asSite,
  defineTable,
  transact,
  type UnitOfWork,
  untilUsed,
} from "../../../platform/kv/mod.ts";
import type { QueuedMail } from "../../../platform/mail/mod.ts";
import { readExisting } from "../../records/mod.ts";
import { MINUTE_MS } from "../../../base/time.ts";
import { createAccessMails } from "./mails.ts";
import { type AccessRequestRow, listLatestIds, requests, stateOf } from "./requests.ts";
import { ACCESS_REQUESTED, type AccessOptions } from "./ask.ts";
import { type DocumentRow, documents, isWithdrawn, latestVersion } from "../store.ts";
import { recallDecision } from "./undo.ts";

/** The withdrawals of documents whose requests have not all ended yet. */
export const withdrawals = defineTable({
  prefix: "document_withdrawals",
  value: z.strictObject({
    /** The id of the document. */
    document: z.string(),
    /** The number of the version that was withdrawn. */
    version: z.number(),
    record: z.string(),
    /** The email address of the administrator who withdrew it. */
    by: z.string(),
    /** The request that ended last, by its place in the list; null before the first one. */
    last: z.strictObject({ requested_at: z.string(), id: z.string() }).nullable(),
  }),
  key: ["document"],
  indexes: { document_withdrawals_by_record: ["record"] },
  owner: { record: "record" },
  moves: true,
  lifetime: untilUsed("until every request has ended, normally at once", "withdrawals"),
  per: "withdrawal of a document",
  privacy: { section: "record", label: "Documents" },
});

export interface Withdrawals {
  /**
   * Adds to a unit that the requests for a withdrawn document end: afterwards, the alerts of open ones are done, and its
   * readers are mailed that their access has ended. If that fails or the process dies, the job does it.
   */
  add(unit: UnitOfWork, document: DocumentRow, by: string): void;
  /** Finishes the withdrawals that were interrupted. */
  job: Job;
}

/**
 * Creates what ends the requests for withdrawn documents. Each request ends in a commit of its own,
 * because there may be too many for one. The commit also stores that it has ended, so no reader is
 * mailed twice.
 */
export function createWithdrawals(options: AccessOptions): Withdrawals {
  const { kv, clock, log, mailer } = options;
  const mails = createAccessMails(options);

  const endRequest = (document: string, version: number, id: string) =>
    transact<QueuedMail[]>(async () => {
      const now = clock();
      const [withdrawal, current, request] = await Promise.all([
        withdrawals.get(kv, document),
        documents.get(kv, document),
        requests.get(kv, id),
      ]);
      const row = request.value;
      const record = row && await readExisting(kv, row.record);
      const isDue = withdrawal.value?.version === version &&
        isWithdrawn(current.value) && // otherwise, a new version gives access again
        row?.document === document && follows(row, withdrawal.value.last);
      if (!isDue || !record) return { result: [] };
      const commit = kv.atomic().check(current, request, record.contact);
      const last = { requested_at: row.requested_at, id };
      withdrawals.replace(commit, withdrawal, { ...withdrawal.value!, last });
      const state = stateOf(row, now);
      if (state === "open") {
        const problem = { organisation: row.organisation, kind: ACCESS_REQUESTED, problem: id };
        const { by } = withdrawal.value!;
        await setAlertState(kv, commit, problem, { state: "done", by, now });
        return { result: [], commit };
      }
      // Somebody whose mail with the link is recalled never had access.
      if (state !== "approved" || await recallDecision(options, commit, row)) {
        return { result: [], commit };
      }
      return { result: [await mails.addWithdrawal(commit, row)], commit };
    });

  /** Returns false if there is nothing to end. */
  async function end(document: string): Promise<boolean> {
    const { value: row } = await withdrawals.get(kv, document);
    if (row === null) return false;
    for (const id of await listLatestIds(kv, document)) {
      mailer.send(await endRequest(document, row.version, id));
    }
    await transact(async () => {
      const entry = await withdrawals.get(kv, document);
      // A later withdrawal ends its requests itself.
      if (entry.value?.version !== row.version) return { result: undefined };
      const commit = kv.atomic().check(entry);
      withdrawals.delete(commit, entry.value);
      return { result: undefined, commit };
    });
    return true;
  }

  const finish = (document: string) =>
    end(document).catch((error) =>
      log({ level: "error", event: "withdrawal_unfinished", reason: String(error) })
    );

  return {
    add(unit, document, by) {
      const { id, record } = document;
      if (record === null) return; // nobody can have asked for it
      const version = latestVersion(document).number;
      withdrawals.set(unit.commit, { document: id, version, record, by, last: null });
      // As the site, because this completes a withdrawal that is stored.
      unit.after(() => asSite(() => finish(id)));
    },
    job: {
      name: "withdrawals",
      title: "Ending requests for withdrawn documents",
      everyMs: MINUTE_MS,
      maxMs: MINUTE_MS,
      async run(context) {
        const finished = await sweepRows(kv, withdrawals.prefix, context, (_, id) => end(id));
        return `${finished} finished`;
      },
    },
  };
}

/** Returns whether a request comes after another one in a list with the newest first. */
const follows = (
  { requested_at, id }: AccessRequestRow,
  last: Pick<AccessRequestRow, "requested_at" | "id"> | null,
): boolean =>
  last === null || requested_at < last.requested_at ||
  requested_at === last.requested_at && id < last.id;
