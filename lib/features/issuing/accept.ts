import { isSameMailbox } from "../../base/email.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import { transact, unchecked } from "../../platform/kv/mod.ts";
import { type Chains } from "../chain/store/mod.ts";
import {
  type ContactIndex,
  contacts,
  enquirySchema,
  registerPerson,
  renewConfirmation,
} from "../contact/mod.ts";
import {
  type DocumentRow,
  type Documents,
  latestVersion,
  listIds,
  MAX_DOCUMENTS,
  type OpenDocument,
} from "../documents/mod.ts";
import type { Issuers } from "../issuers/mod.ts";
import {
  addAccess,
  type EmailConfirmations,
  type HolderSession,
  type LinkUse,
  type Reader,
  readRecord,
  type RecordEntry,
  waitsToCorrect,
} from "../records/mod.ts";
import { type AcceptLink, isAcceptLink } from "./accept_link.ts";
import { changeRecipient, type Recipient, recipientAt, recipients } from "./recipients.ts";
import type { Settle } from "./settle.ts";

/** A recipient with the documents that the issuer has issued to them. */
export interface Offer {
  recipient: Recipient;
  documents: DocumentRow[];
}

export type OpenedOffer = { ok: true } & Offer | Failure<"not_found">;

/** A recipient who registers a record, and the session that this gives the browser. */
export type Accepted = OpenedOffer & {
  /**
   * The `Set-Cookie` value of the session. Null if the link has signed in before, or if the browser is signed in with
   * another address, which it stays.
   */
  cookie?: string | null;
  /** True if the session has the new record open, see `EmailConfirmation`. */
  openedRecord?: boolean;
};

/** A record that gets waiting documents, because its holder says so. */
export interface Addition {
  /** The hash of the record. */
  record: string;
  session: Pick<HolderSession, "choices">;
  reader: Reader;
}

/**
 * The actions of a recipient with the link in the mail. The link alone reaches no record that exists: whoever it was
 * forwarded to can register a new one at most.
 */
export interface Acceptance {
  /** Reads a link without changing anything, because mail scanners open links too. */
  read(link: AcceptLink): Promise<OpenedOffer>;
  /** Returns the newest version of a document that waits; null if there is no such document, or it waits no more. */
  look(link: AcceptLink, document: string): Promise<OpenDocument | null>;
  /**
   * Accepts all waiting documents: registers a record for them, confirms the address, and signs in. Repeating it
   * changes nothing.
   */
  accept(link: AcceptLink, use: LinkUse): Promise<Accepted>;
  /** Returns those of a session's records that can get the waiting documents: they have the same confirmed mailbox. */
  recordsFor(recipient: Recipient, records: readonly RecordEntry[]): Promise<RecordEntry[]>;
  /**
   * Accepts all waiting documents into a record that a session may open. The caller demands the session. Repeating it
   * changes nothing.
   */
  add(link: AcceptLink, addition: Addition): Promise<OpenedOffer | AdditionFailure>;
  /** Says that the documents are for somebody else. The name, the address and the files are erased. */
  refuse(link: AcceptLink): Promise<OpenedOffer>;
}

type AdditionFailure = Failure<"conflict" | "too_many_documents">;

export interface AcceptanceOptions {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  chains: Chains;
  index: ContactIndex;
  documents: Pick<Documents, "ofRecipient">;
  issuers: Issuers;
  emails: Pick<EmailConfirmations, "confirm">;
  settle: Settle;
}

export function createAcceptance(options: AcceptanceOptions): Acceptance {
  const { kv, clock, secrets, documents, emails, settle } = options;

  async function read(link: AcceptLink): Promise<OpenedOffer> {
    if (!await isAcceptLink(secrets, link)) return fail("not_found");
    const [{ value }, found] = await Promise.all([
      recipients.get(kv, link.id),
      documents.ofRecipient(link.id),
    ]);
    return value === null || found.length === 0
      ? fail("not_found")
      : { ok: true, recipient: recipientAt(value, clock()), documents: found };
  }

  /** Returns whether a recipient can still accept or refuse. */
  const waits = (recipient: Recipient | null): recipient is Recipient =>
    recipient !== null && recipientAt(recipient, clock()).state === "waiting";

  /** Changes the state of a waiting recipient, unless something else has changed it. */
  const leave = (
    id: string,
    changes: (
      before: Recipient,
      commit: Deno.AtomicOperation,
    ) =>
      | Partial<Recipient>
      | null
      | AdditionFailure
      | Promise<Partial<Recipient> | AdditionFailure>,
  ) =>
    transact<AdditionFailure | null>(async () => {
      const entry = await recipients.get(kv, id);
      if (!waits(entry.value)) return { result: null };
      const at = new Date(clock()).toISOString();
      const commit = kv.atomic();
      const changed = await changes(entry.value, commit);
      if (changed === null) return { result: null };
      if ("ok" in changed) return { result: changed };
      changeRecipient(commit, entry, { ...changed, state_at: at, due_at: at });
      return { result: null, commit };
    });

  /** Returns whether a record in force has the confirmed address of a recipient, and is not closed. */
  async function canReceive({ email }: Recipient, record: RecordEntry): Promise<boolean> {
    const { contact: { value: contact }, row } = record;
    const isOpen = contact.confirmed_at !== null && row.replaced_by === null && !row.deletion_at;
    return isOpen && email !== null && isSameMailbox(contact.record.email, email) &&
      !await waitsToCorrect(kv, record);
  }

  /** Registers the record of a recipient. Returns the token that confirms its address, if that is open. */
  async function registerFor(
    { recipient: { id, name, email }, documents: [document] }: Offer,
  ): Promise<string | null> {
    const enquiry = enquirySchema.parse({ name, email });
    const registered = await registerPerson(
      options,
      { enquiry, organisation: document.organisation },
      async (commit, hash) => {
        const entry = await recipients.get(kv, id);
        if (!waits(entry.value) || entry.value.record !== null) return false;
        changeRecipient(commit, entry, { record: hash });
      },
    );
    return registered?.token ?? await renewToken(id);
  }

  /** Returns a new token for a record that was registered before, but not confirmed. */
  const renewToken = (id: string) =>
    transact<string | null>(async () => {
      const entry = await recipients.get(kv, id);
      unchecked("The record of a recipient never changes.", entry);
      const hash = entry.value?.record;
      const contact = hash ? await contacts.get(kv, hash) : null;
      if (contact === null || contact.value === null || contact.value.confirmed_at !== null) {
        return { result: null };
      }
      const commit = kv.atomic();
      return { result: renewConfirmation(commit, hash!, contact, clock()), commit };
    });

  return {
    read,
    async look(link, id) {
      const offer = await read(link);
      if (!offer.ok || offer.recipient.state !== "waiting") return null;
      const document = offer.documents.find((each) => each.id === id);
      return document === undefined
        ? null
        : { document, version: latestVersion(document), permission: "recipient" };
    },
    async accept(link, use) {
      const offer = await read(link);
      if (!offer.ok || offer.recipient.state !== "waiting" || offer.recipient.test) return offer;
      const token = await registerFor(offer);
      const mailedAt = offer.recipient.mailed_at.at(-1);
      const confirmed = token === null
        ? null
        : await emails.confirm(token, { ...use, linkAt: mailedAt && Date.parse(mailedAt) || 0 });
      const isConfirmed = async (hash: string) =>
        (await contacts.get(kv, hash)).value?.confirmed_at ? true : false;
      const { record } = (await recipients.get(kv, link.id)).value ?? { record: null };
      if (record !== null && await isConfirmed(record)) {
        await leave(link.id, () => ({ state: "accepted" }));
      }
      await settle(link.id);
      const opened = await read(link);
      const { cookie = null, opened: openedRecord = false } = confirmed ?? {};
      return opened.ok ? { ...opened, cookie, openedRecord } : opened;
    },
    async recordsFor(recipient, records) {
      const fitting = records.map((record) => canReceive(recipient, record));
      const can = await Promise.all(fitting);
      return records.filter((_, i) => can[i]);
    },
    async add(link, { record: hash, session, reader }) {
      const offer = await read(link);
      if (!offer.ok || offer.recipient.test) return offer;
      const refused = await leave(link.id, async (recipient, commit) => {
        const record = session.choices.includes(hash) ? await readRecord(kv, hash) : null;
        if (record === null) return NO_RECORD;
        commit.check(record.contact, record.entry);
        if (!await canReceive(recipient, record)) return NO_RECORD;
        const all = (await listIds(kv, hash)).length + offer.documents.length;
        if (all > MAX_DOCUMENTS) return FULL;
        const detail = `from ${offer.documents[0].issuer.name}`;
        addAccess(commit, hash, { what: "documents_accepted", reader, detail }, clock());
        return { state: "accepted", record: hash };
      });
      if (refused !== null) return refused;
      await settle(link.id);
      return await read(link);
    },
    async refuse(link) {
      const offer = await read(link);
      if (!offer.ok || offer.recipient.test) return offer;
      // Somebody who has accepted deletes the record instead.
      await leave(
        link.id,
        ({ record }) => record !== null ? null : { state: "refused", name: null, email: null },
      );
      await settle(link.id);
      return await read(link);
    },
  };
}

const NO_RECORD = fail("conflict", {
  message: "This record can no longer get the documents. Choose another way.",
});
const FULL = fail("too_many_documents", {
  message:
    `A record has at most ${MAX_DOCUMENTS} documents. Keep these apart, in a record of their own.`,
});
