/**
 * The acceptance of waiting documents into a record that exists.
 *
 * @module
 */
import { isSameMailbox } from "../../base/email.ts";
import { fail, type Failure } from "../../base/result.ts";
import { formatCount } from "../../base/time.ts";
import { type Documents, listIds, MAX_DOCUMENTS } from "../documents/mod.ts";
import {
  addAccess,
  type HolderSession,
  type Reader,
  readRecord,
  type RecordEntry,
  waitsToCorrect,
} from "../records/mod.ts";
import type { AcceptLink } from "./accept_link.ts";
import { countIssued, MAX_ISSUED } from "./issued_limit.ts";
import type { Offers, OpenedOffer } from "./offers.ts";
import type { Recipient } from "./recipients.ts";
import type { FinishRecipient } from "./finish_recipient.ts";

/** A record that gets waiting documents, because its holder says so. */
interface Addition {
  /** The hash of the record. */
  record: string;
  session: Pick<HolderSession, "choices">;
  reader: Reader;
}

type AdditionFailure = Failure<"conflict" | "too_many_documents">;

/** Acceptances into a record that exists, for which a link is not enough. */
export interface Additions {
  /** Returns those of a session's records that can get the waiting documents: they have the same confirmed mailbox. */
  recordsFor(recipient: Recipient, records: readonly RecordEntry[]): Promise<RecordEntry[]>;
  /**
   * Accepts all waiting documents into a record that a session may open. The caller demands the session. Repeating it
   * changes nothing.
   */
  add(link: AcceptLink, addition: Addition): Promise<OpenedOffer | AdditionFailure>;
}

export function createAddition({ kv, clock, documents, offers, finishRecipient }: {
  kv: Deno.Kv;
  documents: Pick<Documents, "idsOfRecipient">;
  clock: () => number;
  offers: Offers;
  finishRecipient: FinishRecipient;
}): Additions {
  /** Returns whether a record in force has the confirmed address of a recipient, and is not closed. */
  async function canReceive({ email }: Recipient, record: RecordEntry): Promise<boolean> {
    const { contact: { value: contact }, row } = record;
    const isOpen = contact.confirmed_at !== null && row.replaced_by === null && !row.deletion_at;
    return isOpen && email !== null && isSameMailbox(contact.record.email, email) &&
      !await waitsToCorrect(kv, record);
  }

  return {
    async recordsFor(recipient, records) {
      const fitting = records.map((record) => canReceive(recipient, record));
      const can = await Promise.all(fitting);
      return records.filter((_, i) => can[i]);
    },
    async add(link, { record: hash, session, reader }) {
      const offer = await offers.read(link);
      if (!offer.ok || offer.recipient.test) return offer;
      const refused = await offers.leave<AdditionFailure>(link.id, async (recipient, commit) => {
        const record = session.choices.includes(hash) ? await readRecord(kv, hash) : null;
        if (record === null) return NO_RECORD;
        commit.check(record.contact, record.entry);
        if (!await canReceive(recipient, record)) return NO_RECORD;
        const places = offer.documents.length;
        if ((await listIds(kv, hash)).length + places > MAX_DOCUMENTS) return FULL;
        const issued = await countIssued({ kv, documents }, hash, recipient.issuer);
        if (issued + places > MAX_ISSUED) return FULL_OF_ISSUER;
        const detail = `from ${offer.documents[0].issuer.name}`;
        addAccess(commit, hash, { what: "documents_accepted", reader, detail }, clock());
        return { state: "accepted", record: hash };
      });
      if (refused !== null) return refused;
      await finishRecipient(link.id);
      return await offers.read(link);
    },
  };
}

const NO_RECORD = fail("conflict", {
  message: "The documents can no longer be added to this record. Choose another way.",
});
const APART = "Keep these in a separate record.";
const FULL = fail("too_many_documents", {
  message: `A record has at most ${formatCount(MAX_DOCUMENTS)} documents. ${APART}`,
});
const FULL_OF_ISSUER = fail("too_many_documents", {
  message: `A record has at most ${MAX_ISSUED} documents of one issuer. ${APART}`,
});
