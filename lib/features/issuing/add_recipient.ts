/**
 * The recipient of a new document, and whether it waits for them or gets into their record.
 *
 * @module
 */
import { fail, type Failure } from "../../base/result.ts";
import { isoAfter, type UnitOfWork } from "../../platform/kv/mod.ts";
import type { Documents } from "../documents/mod.ts";
import { readCurrentRecord } from "../records/mod.ts";
import { readAccepted } from "./followed.ts";
import { countIssued, MAX_ISSUED, TOO_MANY } from "./issued_limit.ts";
import { readMailbox } from "./mailbox.ts";
import {
  type Address,
  changeRecipient,
  findRecipient,
  fingerprintsOf,
  newRecipient,
  type Recipient,
  recipientAt,
  recipients,
  type Store,
  WAITING_MS,
  withMail,
} from "./recipients.ts";

/** The recipient of a document, and what happens to it next. */
interface AddedRecipient {
  ok: true;
  recipient: Recipient;
  /** The record that it gets into at once; null if it waits for its recipient. */
  record: string | null;
  /** False if the recipient gets no mail with this unit. */
  mailed: boolean;
}

/**
 * Adds the row of a recipient to the unit that gives them a document.
 *
 * @param person.mails true if the recipient is mailed with this unit, unless that was too often today
 */
export type AddRecipient = (
  unit: UnitOfWork,
  person: { address: Address; name: string; mails: boolean },
) => Promise<AddedRecipient | Failure<AddRecipientError>>;

type AddRecipientError = "recipient_refused" | "recipient_unavailable" | "too_many_documents";

type AddRecipientOptions = Store & { documents: Pick<Documents, "idsOfRecipient"> };

/**
 * Creates the function that adds the recipient of a document. It reads only what the same issuer has caused, so neither
 * its result nor its timing shows whether an address has records elsewhere.
 */
export function createAddRecipient({ kv, secrets, documents }: AddRecipientOptions): AddRecipient {
  const countOf = async (id: string) => (await documents.idsOfRecipient(id)).length;
  return async ({ commit, now }, { address, name, mails }) => {
    const { test } = address;
    const [{ key: index, entry }, mailbox] = await Promise.all([
      findRecipient({ kv, secrets }, address),
      readMailbox({ kv, secrets }, address, now),
    ]);
    const before = entry === null ? null : recipientAt(entry.value!, now);
    if (mailbox.refused && before?.state !== "accepted") return REFUSED;
    const isNew = before === null || before.state === "lapsed" || before.state === "refused";
    // Somebody who has accepted at another address of the mailbox is the same person.
    const same = isNew && !test && mailbox.accepted !== null
      ? await readAccepted(kv, mailbox.accepted)
      : null;
    if (same !== null) commit.check(same);
    const acceptance = same?.value ?? before;
    const accepted = acceptance?.state === "accepted" && !test;
    const found = accepted ? await recordOf({ kv, documents }, commit, acceptance) : null;
    if (found !== null && !found.ok) return found;
    if (before?.state === "waiting" && await countOf(before.id) >= MAX_ISSUED) return TOO_MANY;
    const mailed = test || !mails ? null : withMail(before ?? { mailed_at: [] }, now);
    const result = { ok: true, record: found?.record ?? null, mailed: mailed !== null } as const;
    if (!isNew) {
      const waits = before.state === "waiting";
      const recipient = changeRecipient(commit, entry!, {
        ...waits && !test && { due_at: isoAfter(now, WAITING_MS) },
        ...mailed !== null && { mailed_at: mailed },
      });
      return { ...result, recipient };
    }
    // The row of a wait or refusal that has ended stays, but the address leads to a new one.
    if (entry !== null) changeRecipient(commit, entry, { mac: null, mailbox: null });
    const fingerprints = await fingerprintsOf({ secrets }, address);
    const recipient: Recipient = {
      ...newRecipient({ ...address, ...fingerprints, name }, now),
      ...found !== null && { state: "accepted", record: found.record, due_at: null },
      mailed_at: mailed ?? [],
    };
    recipients.set(commit.check(index), recipient);
    return { ...result, recipient };
  };
}

/** The failure of what would mail somebody who has said that they are not the recipient. */
export const REFUSED = fail("recipient_refused", {
  message: "The owner of this address has said that it is not the recipient’s. Ask the recipient " +
    "for another address.",
});

const CLOSED = fail("recipient_unavailable", {
  message:
    "The recipient is deleting their record. A document can be issued to this address once " +
    "that is done, which takes a week.",
});

/** Returns the record of a recipient, and checks in the commit that it can get one more document. */
async function recordOf(
  options: Pick<AddRecipientOptions, "kv" | "documents">,
  commit: Deno.AtomicOperation,
  { record: hash, issuer }: Recipient,
): Promise<{ ok: true; record: string } | Failure<AddRecipientError>> {
  const record = await readCurrentRecord(options.kv, hash!);
  if (record === null || record.row.deletion_at) return CLOSED;
  if (await countIssued(options, record.hash, issuer) >= MAX_ISSUED) return TOO_MANY;
  commit.check(record.contact, record.entry);
  return { ok: true, record: record.hash };
}
