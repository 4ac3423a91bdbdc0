/**
 * The changes of documents after they were issued: mailed again, taken back, or followed in a test.
 *
 * @module
 */
import { fail, type Failure, rateLimited } from "../../base/result.ts";
import { DAY_MS } from "../../base/time.ts";
import { inUnit, type UnitOfWork } from "../../platform/kv/mod.ts";
import {
  type AddDocumentEvent,
  createEmit,
  type DocumentRow,
  type Documents,
} from "../documents/mod.ts";
import { readMailbox } from "./mailbox.ts";
import type { AddRecipientMail } from "./mails.ts";
import { REFUSED } from "./add_recipient.ts";
import {
  changeRecipient,
  type Recipient,
  recipientAt,
  recipients,
  type Store,
  withMail,
} from "./recipients.ts";

/** The changes of documents that were issued, each for a unit whose other rows belong to the same commit. */
export interface IssuedWriters {
  /**
   * Adds the mail about a document, unless its recipient was mailed too often today or is no longer to be mailed.
   */
  mail(
    unit: UnitOfWork,
    document: DocumentRow,
    row?: { batch: string; n: number },
  ): Promise<void>;
  /** Mails the recipient of a document again, at most three times a day. A test is not mailed. */
  resend(unit: UnitOfWork, document: DocumentRow): Promise<RecipientResult>;
  /**
   * Removes a document whose recipient has not learned of it. The recipient is forgotten if it was their
   * only one. A document is kept if it is in a record, or its recipient was mailed since it was issued.
   *
   * @returns what has become of it; null if it does not exist, so that nothing is added
   */
  unissue(unit: UnitOfWork, id: string): Promise<"removed" | "kept" | null>;
  /** Does in a test what the recipient of a document would do. */
  simulate(
    unit: UnitOfWork,
    document: DocumentRow,
    as: "accepted" | "refused" | "lapsed",
  ): Promise<RecipientResult>;
}

/** The recipient after a change. */
export type RecipientResult = { ok: true; recipient: Recipient } | Failure;

/** How often a mail is sent again in a day, on the issuer's request. */
const MAX_RESENT = 3;

export function createIssuedWriters(
  options: Store & {
    clock: () => number;
    documents: Pick<Documents, "readEntry" | "idsOfRecipient" | "ofRecipient" | "write">;
    addMail: AddRecipientMail;
    forgetResponses: (recipient: string) => Promise<void>;
    onEvent?: () => readonly AddDocumentEvent[];
  },
): IssuedWriters {
  const { kv, documents, addMail } = options;
  const emit = createEmit(options);

  /** Mails a recipient. Returns their row with the mail, null if they are not mailed, or why they must not be. */
  async function mailTo(
    unit: UnitOfWork,
    entry: Deno.KvEntryMaybe<Recipient>,
    document: DocumentRow,
    { most, row }: { most?: number; row?: { batch: string; n: number } } = {},
  ): Promise<Recipient | null | Failure> {
    const recipient = entry.value && recipientAt(entry.value, unit.now);
    if (recipient === null || recipient.test || recipient.email === null) return null;
    const address = { ...recipient, email: recipient.email };
    if (
      recipient.state !== "accepted" && (await readMailbox(options, address, unit.now)).refused
    ) {
      return REFUSED;
    }
    const mailed_at = withMail(recipient, unit.now, most);
    if (mailed_at === null) return null;
    const mailed = changeRecipient(unit.commit, entry, { mailed_at });
    await addMail(unit, document, mailed as Recipient & { email: string }, row);
    return mailed;
  }

  /** Lets the documents of a recipient follow what they have done in a test. */
  async function follow(
    { id }: Recipient,
    state: "accepted" | "refused" | "lapsed",
  ): Promise<void> {
    if (state !== "accepted") await options.forgetResponses(id);
    for (const each of await documents.ofRecipient(id)) {
      await inUnit(options, (unit) => {
        emit(unit, `document.${state}`, each);
        return Promise.resolve({});
      });
    }
  }

  return {
    async mail(unit, document, row) {
      await mailTo(unit, await recipients.get(kv, document.recipient!), document, { row });
    },
    async resend(unit, document) {
      const entry = await recipients.get(kv, document.recipient ?? "");
      const recipient = entry.value && recipientAt(entry.value, unit.now);
      if (recipient === null || recipient.email === null) {
        return fail("recipient_forgotten", { message: FORGOTTEN });
      }
      unit.commit.check(entry);
      if (recipient.test) return { ok: true, recipient };
      const mailed = await mailTo(unit, entry, document, { most: MAX_RESENT });
      if (mailed !== null) return "ok" in mailed ? mailed : { ok: true, recipient: mailed };
      const oldest = recipient.mailed_at.at(-MAX_RESENT) ?? recipient.created_at;
      return rateLimited(Date.parse(oldest) + DAY_MS - unit.now);
    },
    async unissue(unit, id) {
      const document = await documents.readEntry(id);
      if (document === null) return null;
      const entry = await recipients.get(kv, document.value.recipient ?? "");
      const { value } = entry;
      const mailed = value?.mailed_at.some((at) => at > document.value.created_at) ?? false;
      // A mail, an acceptance or another document changes the row, so the commit fails.
      unit.commit.check(document, entry);
      if (document.value.record !== null || mailed) return "kept";
      const others = value !== null && (await documents.idsOfRecipient(value.id)).length > 1;
      // Whoever was mailed today stays, so that removing documents does not reset the number of mails.
      const ends = value?.state === "waiting" && value.record === null && !others &&
        value.mailed_at.length === 0;
      if (ends) recipients.delete(unit.commit, value);
      documents.write.remove(unit, document);
      emit(unit, "document.erased", document.value);
      return "removed";
    },
    async simulate(unit, document, state) {
      const entry = await recipients.get(kv, document.recipient ?? "");
      if (entry.value === null || !entry.value.test) return fail("not_found");
      const before = recipientAt(entry.value, unit.now).state;
      if (before === state) {
        unit.commit.check(entry);
        return { ok: true, recipient: entry.value };
      }
      if (before !== "waiting") {
        return fail("conflict", { message: `The recipient has ${before}.` });
      }
      const erased = state === "accepted" ? {} : { name: null, email: null };
      const state_at = new Date(unit.now).toISOString();
      const recipient = changeRecipient(unit.commit, entry, { ...erased, state, state_at });
      unit.after(() => follow(recipient, state));
      return { ok: true, recipient };
    },
  };
}

const FORGOTTEN = "The recipient’s name and address are erased, so they cannot be emailed.";
