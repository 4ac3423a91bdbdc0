/**
 * The renewal of a link that has ended while its request still gives access.
 *
 * @module
 */
import { readSlot, transact, unchecked } from "../../../platform/kv/mod.ts";
import { sha256 } from "../../../platform/kv/hash.ts";
import type { QueuedMail } from "../../../platform/mail/mod.ts";
import { findKey, readExisting } from "../../records/mod.ts";
import { accessLimits } from "./limits.ts";
import { createAccessMails } from "./mails.ts";
import { requests, saveRequest, stateOf } from "./requests.ts";
import { addPersonalLink } from "./personal_links.ts";
import type { AccessOptions } from "./ask.ts";
import { shares } from "./share_rows.ts";
import { documents, endOf } from "../store.ts";

export interface Renewing {
  /** Mails a new link to the address of the request of a link, if it still gives access. */
  renewLink(code: string): Promise<void>;
}

export function createRenewing(options: AccessOptions): Renewing {
  const { kv, clock, mailer } = options;
  const mails = createAccessMails(options);

  return {
    async renewLink(text) {
      const code = findKey(text);
      const queued = code === null ? [] : await transact<QueuedMail[]>(async () => {
        const now = clock();
        const link = await shares.getLive(kv, now, sha256(code));
        const id = link?.value.person?.request;
        if (link === null || id === undefined) return { result: [] };
        const [entry, record, document, slot] = await Promise.all([
          requests.get(kv, id),
          readExisting(kv, link.value.record),
          documents.get(kv, link.value.document),
          readSlot(kv, accessLimits.newLinks.of([id]), now),
        ]);
        const before = entry.value;
        if (record === null || before === null || stateOf(before, now) !== "approved") {
          return { result: [] };
        }
        if (slot.waitMs > 0 || endOf(document.value, now) !== null) return { result: [] };
        unchecked("A new link changes its request.", link);
        unchecked("The link reads the document again.", document);
        const commit = kv.atomic().check(entry, record.contact);
        slot.take(commit);
        const { token, row } = await addPersonalLink(kv, commit, before, now);
        saveRequest(commit, row, now);
        return { result: [await mails.addGrant(commit, row, token)], commit };
      });
      mailer.send(queued);
    },
  };
}
