import { setAlertState } from "../alerts/mod.ts";
import { transact } from "../../platform/kv/mod.ts";
import type { QueuedMail } from "../../platform/mail/mod.ts";
import { readRecord } from "../records/mod.ts";
import { createAccessMails } from "./access_mails.ts";
import { listRequestIds, requests, stateOf } from "./access_requests.ts";
import { ACCESS_REQUESTED, type AccessOptions } from "./request_access.ts";
import type { DocumentRow } from "./store.ts";
import { recallDecision } from "./undo_decision.ts";

/**
 * Creates the function that ends what a withdrawn document leaves open: alerts of open requests and
 * the access of readers, who are mailed. The state of a request is derived from its document, so each
 * request has a commit of its own: there may be too many for one.
 */
export function createEndForWithdrawn(options: AccessOptions) {
  const { kv, clock, mailer } = options;
  const mails = createAccessMails(options);

  const end = (id: string, document: DocumentRow, by: string) =>
    transact<QueuedMail[]>(async () => {
      const now = clock();
      const entry = await requests.get(kv, id);
      const row = entry.value;
      const record = row && await readRecord(kv, row.record);
      if (row?.document !== document.id || !record) return { result: [] };
      const commit = kv.atomic().check(entry, record.contact);
      const state = stateOf(row, now);
      if (state === "open") {
        const { organisation } = row;
        const problem = { organisation, kind: ACCESS_REQUESTED, problem: id };
        await setAlertState(kv, commit, problem, { state: "done", by, now });
        return { result: [], commit };
      }
      // Somebody whose mail with the link is recalled never had access.
      if (state !== "approved" || await recallDecision(options, commit, row)) {
        return { result: [], commit };
      }
      return { result: [await mails.addWithdrawal(commit, row)], commit };
    });

  return async (document: DocumentRow, by: string): Promise<void> => {
    for (const id of await listRequestIds(kv, document.record, { confirmed: true })) {
      mailer.send(await end(id, document, by));
    }
  };
}
