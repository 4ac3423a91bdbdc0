/**
 * Issuing documents by API (docs/issuing.md): recipients, and the documents that wait for them.
 *
 * @module
 */
import { fail, type Failure, rateLimited } from "../../base/result.ts";
import { normaliseEmail } from "../../base/email.ts";
import { DAY_MS } from "../../base/time.ts";
import { transact } from "../../platform/kv/mod.ts";
import { type QueuedMail, transactAndMail } from "../../platform/mail/mod.ts";
import {
  type AddDocumentEvent,
  createEmit,
  type DocumentRow,
  type Documents,
} from "../documents/mod.ts";
import { type Acceptance, type AcceptanceOptions, createAcceptance } from "./accept.ts";
import { createDeliver, type Deliver } from "./deliver.ts";
import { createFindDocuments, type FindDocuments } from "./find.ts";
import { createIssue, type Issue } from "./issue.ts";
import { createLaterDocuments, type LaterDocuments } from "./later_documents.ts";
import { readMailbox } from "./mailbox.ts";
import { createRecipientMails, type RecipientMailsOptions } from "./mails.ts";
import { createPlaceFor, REFUSED } from "./place.ts";
import {
  changeRecipient,
  ERASED,
  findRecipient,
  type Recipient,
  recipientAt,
  recipients,
  withMail,
} from "./recipients.ts";
import { createSettle, type Settle, type SettleOptions } from "./settle.ts";

export type { Accepted } from "./accept.ts";
export { type AcceptLink, acceptLinkSchema } from "./accept_link.ts";
export {
  findIssue,
  ISSUED_STATES,
  type IssuedQuery,
  type IssuedState,
  issuedStateOf,
} from "./find.ts";
export type { Listed, ListedPage } from "./listed.ts";
export type { IssueSettings, IssuingCaller, NewIssuedDocument } from "./issue.ts";
export { type Recipient, TEST_MS, WAITING_MS } from "./recipients.ts";
export * from "./certificate_content.ts";
export * from "./document_object.ts";
export { CERTIFICATE_FIELDS } from "./fields.ts";
export { CERTIFICATE_LIMITS, PAPERS } from "./certificate/mod.ts";
export { type Execute, LEASE_MS, REPLAYED } from "./idempotency.ts";
export { REPLAY_MS } from "./idempotency_rows.ts";
export * from "./input.ts";
export type { LaterIssuer } from "./later_documents.ts";
export { OFFER_MS, offerCookie, offerOf } from "./offer_cookie.ts";
export type { Offer, OpenedOffer } from "./offers.ts";
export type { Begin, Post, Posts } from "./post.ts";
export * from "./request.ts";

export interface Issuing {
  issue: Issue;
  acceptance: Acceptance;
  laterDocuments: LaterDocuments;
  /** Finds documents for administrators. */
  find: FindDocuments;
  /** Reads the recipients of documents, by their ids. */
  recipientsOf(documents: readonly DocumentRow[]): Promise<Map<string, Recipient>>;
  /** Returns the recipient with an address, as this issuer knows it; null if it has none. */
  findRecipient(issuer: { id: string; test: boolean }, email: string): Promise<Recipient | null>;
  /**
   * Adds the mail about a document to a commit, unless its recipient was mailed too often today or is no
   * longer to be mailed.
   *
   * @returns the mails to send after the commit
   */
  addMail(
    commit: Deno.AtomicOperation,
    document: DocumentRow,
    now: number,
    row?: { batch: string; n: number },
  ): Promise<QueuedMail[]>;
  /**
   * Mails the recipient of a document again, at most three times a day.
   *
   * @param addToCommit adds to the commit that queues the mail. It is not called for a test.
   */
  resend(
    document: DocumentRow,
    addToCommit?: (commit: Deno.AtomicOperation, recipient: Recipient) => Promise<Failure | void>,
  ): Promise<{ ok: true } | Failure>;
  deliver: Deliver;
  /**
   * Removes a document whose recipient has not learned of it. The recipient is forgotten if it was their
   * only one. A document is kept if it is in a record, or its recipient was mailed since it was issued.
   *
   * @param addToCommit adds to the commit that removes or keeps it
   */
  unissue(
    id: string,
    addToCommit?: (commit: Deno.AtomicOperation, outcome: "removed" | "kept") => Promise<void>,
  ): Promise<void>;
  /**
   * Does in a test what the recipient of a document would do.
   *
   * @param addToCommit adds to the commit that changes the recipient
   */
  simulate(
    document: DocumentRow,
    as: "accepted" | "refused" | "lapsed",
    addToCommit?: (commit: Deno.AtomicOperation, recipient: Recipient) => Promise<Failure | void>,
  ): Promise<{ ok: true } | Failure>;
  /** Forgets everybody who waits under an address, for all issuers. Returns how many there were. */
  forget(email: string): Promise<number>;
  settle: Settle;
}

type IssuingOptions =
  & RecipientMailsOptions
  & Omit<AcceptanceOptions, "settle" | "documents">
  & Pick<SettleOptions, "forgetResponses">
  & { documents: Documents; onEvent?: () => readonly AddDocumentEvent[] };

/** How often a mail is sent again in a day, on the issuer's request. */
const MAX_RESENT = 3;

/** Creates what issues documents. Nothing is read or written before the first call. */
export function createIssuing(options: IssuingOptions): Issuing {
  const { kv, clock, secrets, mailer, documents } = options;
  const addMail = createRecipientMails(options);
  const placeFor = createPlaceFor(options);
  const settle = createSettle(options);
  const emit = createEmit(options);

  const mailTo = async (
    commit: Deno.AtomicOperation,
    entry: Deno.KvEntryMaybe<Recipient>,
    document: DocumentRow,
    now: number,
    { most, row }: { most?: number; row?: { batch: string; n: number } } = {},
  ): Promise<QueuedMail[] | Failure> => {
    const recipient = entry.value && recipientAt(entry.value, now);
    if (recipient === null || recipient.test || recipient.email === null) return [];
    const address = { ...recipient, email: recipient.email };
    if (recipient.state !== "accepted" && (await readMailbox(options, address, now)).refused) {
      return REFUSED;
    }
    const mailed_at = withMail(recipient, now, most);
    if (mailed_at === null) return [];
    const mailed = changeRecipient(commit, entry, { mailed_at });
    return [await addMail(commit, document, mailed as Recipient & { email: string }, now, row)];
  };

  const readers: Pick<Issuing, "recipientsOf" | "findRecipient"> = {
    async recipientsOf(rows) {
      const ids = new Set(rows.flatMap(({ recipient }) => recipient ?? []));
      const found = await recipients.getMany(kv, Array.from(ids, (id): [string] => [id]));
      return new Map(found.map(({ value }) => [value.id, recipientAt(value, clock())]));
    },
    async findRecipient({ id: issuer, test }, email) {
      const { entry } = await findRecipient({ kv, secrets }, { issuer, test, email });
      // A refused address is only kept as a fingerprint, which must not tell that a document was for it.
      const found = entry?.value ? recipientAt(entry.value, clock()) : null;
      return found?.email ? found : null;
    },
  };

  return {
    ...readers,
    find: createFindDocuments({ ...options, ...readers }),
    issue: createIssue({ ...options, addMail, placeFor }),
    acceptance: createAcceptance({ ...options, settle }),
    laterDocuments: createLaterDocuments(options),
    settle,
    async addMail(commit, document, now, row) {
      const entry = await recipients.get(kv, document.recipient!);
      const mails = await mailTo(commit, entry, document, now, { row });
      return "ok" in mails ? [] : mails;
    },
    resend: (document, addToCommit) =>
      transactAndMail<{ ok: true } | Failure>(mailer, async () => {
        const entry = await recipients.get(kv, document.recipient ?? "");
        const recipient = entry.value && recipientAt(entry.value, clock());
        if (recipient === null || recipient.email === null) {
          return { result: fail("recipient_forgotten", { message: FORGOTTEN }) };
        }
        const commit = kv.atomic().check(entry);
        if (recipient.test) {
          const refused = await addToCommit?.(commit, recipient);
          return refused ? { result: refused } : { result: { ok: true }, commit };
        }
        const mails = await mailTo(commit, entry, document, clock(), { most: MAX_RESENT });
        if ("ok" in mails) return { result: mails };
        if (mails.length > 0) {
          const mailed_at = [...recipient.mailed_at, new Date(clock()).toISOString()];
          const refused = await addToCommit?.(commit, { ...recipient, mailed_at });
          return refused ? { result: refused } : { result: { ok: true }, commit, mails };
        }
        const oldest = recipient.mailed_at.at(-MAX_RESENT) ?? recipient.created_at;
        return { result: rateLimited(Date.parse(oldest) + DAY_MS - clock()) };
      }),
    deliver: createDeliver({ ...options, placeFor }),
    unissue: (id, addToCommit) =>
      documents.remove(id, async (commit, document) => {
        const entry = await recipients.get(kv, document.recipient ?? "");
        const { value } = entry;
        const mailed = value?.mailed_at.some((at) => at > document.created_at) ?? false;
        const kept = document.record !== null || mailed;
        await addToCommit?.(commit, kept ? "kept" : "removed");
        // A mail, an acceptance or another document changes the row, so the commit fails.
        commit.check(entry);
        if (kept) return "keep";
        const others = value !== null && (await documents.idsOfRecipient(value.id)).length > 1;
        // Whoever was mailed today stays, so that removing documents does not reset the number of mails.
        const ends = value?.state === "waiting" && value.record === null && !others &&
          value.mailed_at.length === 0;
        if (ends) recipients.delete(commit, value);
        return await emit(commit, "document.erased", document, clock());
      }),
    async simulate(document, state, addToCommit) {
      const id = document.recipient ?? "";
      const result = await transact<{ ok: true; isNew: boolean } | Failure>(async () => {
        const entry = await recipients.get(kv, id);
        if (entry.value === null || !entry.value.test) return { result: fail("not_found") };
        const before = recipientAt(entry.value, clock()).state;
        if (before === state) {
          const commit = kv.atomic().check(entry);
          const refused = await addToCommit?.(commit, entry.value);
          return refused ? { result: refused } : { result: { ok: true, isNew: false }, commit };
        }
        if (before !== "waiting") {
          return { result: fail("conflict", { message: `The recipient has ${before}.` }) };
        }
        const commit = kv.atomic();
        const erased = state === "accepted" ? {} : { name: null, email: null };
        const state_at = new Date(clock()).toISOString();
        const changed = changeRecipient(commit, entry, { ...erased, state, state_at });
        const refused = await addToCommit?.(commit, changed);
        return refused ? { result: refused } : { result: { ok: true, isNew: true }, commit };
      });
      if (!result.ok || !result.isNew) return result;
      if (state !== "accepted") await options.forgetResponses(id);
      for (const each of await documents.ofRecipient(id)) {
        const commit = kv.atomic();
        const start = await emit(commit, `document.${state}`, each, clock());
        await commit.commit();
        start();
      }
      return result;
    },
    async forget(email) {
      const normal = normaliseEmail(email);
      let forgotten = 0;
      for await (const { value } of recipients.list(kv, [])) {
        const waits = value.state === "waiting" && value.record === null;
        if (value.email !== normal || !waits) continue;
        await transact(async () => {
          const entry = await recipients.get(kv, value.id);
          if (entry.value?.state !== "waiting" || entry.value.record !== null) {
            return { result: undefined };
          }
          const commit = kv.atomic();
          const at = new Date(clock()).toISOString();
          changeRecipient(commit, entry, { ...ERASED, state: "lapsed", state_at: at, due_at: at });
          return { result: undefined, commit };
        });
        await settle(value.id);
        forgotten++;
      }
      return forgotten;
    },
  };
}

const FORGOTTEN = "The recipient’s name and address are erased, so they cannot be mailed.";
