/**
 * Issuing documents by API (docs/issuing.md): recipients, and the documents that wait for them.
 *
 * @module
 */
import { normaliseEmail } from "../../base/email.ts";
import { inUnit, transact } from "../../platform/kv/mod.ts";
import type { AddDocumentEvent, DocumentRow, Documents } from "../documents/mod.ts";
import { type Acceptance, type AcceptanceOptions, createAcceptance } from "./accept.ts";
import { createIssuedWriters, type IssuedWriters, type RecipientResult } from "./changes.ts";
import { createDeliver, type Deliver } from "./deliver.ts";
import { createFindDocuments, type FindDocuments } from "./find.ts";
import { createIssue, type Issue } from "./issue.ts";
import { createLaterDocuments, type LaterDocuments } from "./later_documents.ts";
import { createRecipientMails, type RecipientMailsOptions } from "./mails.ts";
import { createAddRecipient } from "./add_recipient.ts";
import {
  changeRecipient,
  ERASED,
  findRecipient,
  type Recipient,
  recipientAt,
  recipients,
} from "./recipients.ts";
import {
  createFinishRecipient,
  type FinishRecipient,
  type FinishRecipientOptions,
} from "./finish_recipient.ts";

export type { Accepted } from "./accept.ts";
export { type AcceptLink, acceptLinkSchema } from "./accept_link.ts";
export {
  findIssue,
  ISSUED_STATES,
  type IssuedQuery,
  type IssuedState,
  issuedStateOf,
} from "./find.ts";
export { issuedPath } from "./issued_path.ts";
export type { Listed, ListedPage } from "./listed.ts";
export type { IssuingCaller, MailTime, NewIssuedDocument } from "./issue.ts";
export { type Recipient, TEST_MS, WAITING_MS } from "./recipients.ts";
export * from "./certificate_content.ts";
export * from "./document_object.ts";
export { CERTIFICATE_FIELDS } from "./fields.ts";
export { CERTIFICATE_LIMITS, PAPERS } from "./certificate/mod.ts";
export { LEASE_MS, REPLAYED } from "./http/idempotency.ts";
export { REPLAY_MS } from "./http/idempotency_rows.ts";
export * from "./input.ts";
export type { LaterIssuer } from "./later_documents.ts";
export { OFFER_MS, offerCookie, offerOf } from "./offer_cookie.ts";
export type { Offer, OpenedOffer } from "./offers.ts";
export { callOf, type CsvFile, type Post, type Posts } from "./http/post.ts";
export * from "./http/request.ts";
export * from "./problems.ts";

/** The documents that issuers issue to recipients by address. */
export interface Issuing extends Pick<Issue, "draft" | "issue"> {
  /** The changes of issued documents, each for a unit of work. */
  write: IssuedWriters & { issue: Issue["write"] };
  acceptance: Acceptance;
  laterDocuments: LaterDocuments;
  /** Finds documents for administrators. */
  find: FindDocuments;
  /** Reads the recipients of documents, by their ids. */
  recipientsOf(documents: readonly DocumentRow[]): Promise<Map<string, Recipient>>;
  /** Returns the recipient with an address, as this issuer knows it; null if it has none. */
  findRecipient(issuer: { id: string; test: boolean }, email: string): Promise<Recipient | null>;
  /** Mails the recipient of a document again, as a unit of its own. */
  resend(document: DocumentRow): Promise<RecipientResult>;
  deliver: Deliver;
  /** Forgets everybody who waits under an address, for all issuers. Returns how many there were. */
  forget(email: string): Promise<number>;
  finishRecipient: FinishRecipient;
}

type IssuingOptions =
  & RecipientMailsOptions
  & Omit<AcceptanceOptions, "finishRecipient" | "documents">
  & Pick<FinishRecipientOptions, "forgetResponses">
  & { documents: Documents; onEvent?: () => readonly AddDocumentEvent[] };

/** Creates what issues documents. Nothing is read or written before the first call. */
export function createIssuing(options: IssuingOptions): Issuing {
  const { kv, clock, secrets } = options;
  const addMail = createRecipientMails(options);
  const addRecipient = createAddRecipient(options);
  const finishRecipient = createFinishRecipient(options);
  const { write: issueIn, ...issue } = createIssue({ ...options, addMail, addRecipient });
  const write = { ...createIssuedWriters({ ...options, addMail }), issue: issueIn };

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
    ...issue,
    write,
    acceptance: createAcceptance({ ...options, finishRecipient }),
    laterDocuments: createLaterDocuments(options),
    finishRecipient,
    resend: (document) => inUnit(options, (unit) => write.resend(unit, document)),
    deliver: createDeliver({ ...options, addRecipient }),
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
        await finishRecipient(value.id);
        forgotten++;
      }
      return forgotten;
    },
  };
}
