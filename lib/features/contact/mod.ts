/**
 * The server side of the contact form (spec 2.8, 4.6): an enquiry becomes a record with a chain,
 * and the sender confirms the email address.
 *
 * @module
 */
import type { Chains } from "../chain/store/mod.ts";
import type { ContactConfig } from "./variables.ts";
import { createKeyedQueue, readSlot, type Slot } from "../../platform/kv/mod.ts";
import { mailboxOf } from "../../base/email.ts";
import {
  type Mailer,
  type MailOrganisation,
  type QueuedMail,
  senderOf,
} from "../../platform/mail/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { Count } from "../../platform/telemetry/mod.ts";
import { passesChallenge } from "./challenge.ts";
import {
  type AddToConfirmation,
  confirm,
  type Confirmed,
  type FoundConfirmation,
  renewConfirmation,
} from "./confirm.ts";
import type { ContactIndex } from "./contact_index.ts";
import { confirmationMail } from "./mails.ts";
import type { Enquiry } from "./fields.ts";
import {
  type AddToEnquiry,
  register,
  type RegisterOptions,
  type RegisterResult,
  type Sender,
} from "./register.ts";
import { CONFIRMATION_LIFETIME_MS, confirmations } from "./confirmations.ts";
import { mailboxLinks } from "./limits.ts";
import { ownerOf } from "./owner.ts";
import { aboutContact, type StoredContact } from "./store.ts";
import type { Submission } from "./submission.ts";
import type { ContactUrls } from "./urls.ts";

export { type Confirmation, describeConfirmation } from "./confirm.ts";
export { CONFIRMATION_LIFETIME_MS } from "./confirmations.ts";
export { type ContactIndex, createContactIndex, INDEX_PREFIXES } from "./contact_index.ts";
export {
  changeRegistrations,
  countLevel,
  countRegistration,
  type MonthCount,
  readListVersion,
  readMonths,
  readRegistrations,
  readTotals,
  type RecordTotals,
  type RegistrationCount,
} from "./counts.ts";
export {
  CONTACT_FIELDS,
  DIAL_CODES,
  type Enquiry,
  ENQUIRY_TYPES,
  type FormValues,
  HONEYPOT,
} from "./fields.ts";
export { nonEmptyText, textField } from "./field_schemas.ts";
export { internationalNumber, isPersonal, noSuchNumber, toE164 } from "./phone.ts";
export {
  backTo,
  formCors,
  isFormOrigin,
  NO_SITE,
  organisationOf,
  registerFor,
  registerQuery,
  siteOf,
} from "./organisation.ts";
export { changeLists, contactTimes, type Listed, listPrefix } from "./lists.ts";
export { ownerOf } from "./owner.ts";
export { maskEmail, maskMobile, receiptOf, registeredSchema } from "./receipt.ts";
export { type AddToEnquiry, registerPerson } from "./register.ts";
export { renewConfirmation } from "./confirm.ts";
export {
  aboutContact,
  addContact,
  contacts,
  type Declaration,
  deleteContact,
  hashOfAbout,
  listedAs,
  readContact,
  recordsOf,
  type StoredContact,
} from "./store.ts";
export {
  bodyOfFormPost,
  enquirySchema,
  type FormPost,
  retryFields,
  submissionSchema,
} from "./submission.ts";
export { contactUrls } from "./urls.ts";
export type { FoundBatch } from "./word_index.ts";
export { areSearchable, haveWords, wordsOf } from "../../base/words.ts";

export interface ContactOptions {
  kv: Deno.Kv;
  /** Milliseconds since 1970. */
  clock: () => number;
  chains: Chains;
  index: ContactIndex;
  secrets: Secrets;
  mailer: Mailer;
  fetch: typeof fetch;
  config: Pick<ContactConfig, "clientLimit">;
  /** Returns the current settings of the bot challenge, or undefined if there is none. */
  challenge?: () => ContactConfig["challenge"];
  /** Returns whether a host may contain the form: one of ours, or one that may embed it. */
  isFormHost: (hostname: string) => boolean;
  organisations: Record<OrganisationKey, MailOrganisation>;
  /** Adds what other features store for an enquiry to the commit that registers it. */
  addToEnquiry?: AddToEnquiry;
  count?: Count;
}

/** Every method rejects with `KvBusyError` if the store is too busy. */
export interface Contact {
  /**
   * Registers a submission, and mails a confirmation link to the sender, at most
   * {@link LINKS_PER_MAILBOX} per hour to one mailbox.
   */
  register(submission: Submission, sender: Sender, urls: ContactUrls): Promise<RegisterResult>;
  /**
   * Reads the limit of confirmation links for a mailbox, so that the link can be counted in its commit.
   * Anyone can enter any address, from many networks, and must not be able to flood its mailbox.
   */
  linkSlot(email: string, now: number): Promise<Slot>;
  /** Adds a new confirmation link for a record to a commit, and its mail, in place of the previous one. */
  addConfirmation(
    commit: Deno.AtomicOperation,
    hash: string,
    entry: Deno.KvEntry<StoredContact>,
    urls: ContactUrls,
  ): Promise<QueuedMail>;
  /** Finds a confirmation link without changing anything, because mail scanners open links too. */
  findConfirmation(token: string): Promise<FoundConfirmation>;
  /** Confirms the address of a link's record; null if it did not. */
  confirm(token: string, addToCommit: AddToConfirmation): Promise<Confirmed | null>;
}

/**
 * Creates the contact form. Nothing is read, written or sent until a method is called.
 *
 * @example
 * ```ts
 * const submission = checkInput(submissionSchema, await readInput(req));
 * const { registered } = unwrap(await contact.register(submission, { clientAddress, organisation }, urls));
 * return Response.json(receiptOf(registered, organisationName, urls));
 * ```
 */
export function createContact(options: ContactOptions): Contact {
  const { kv, clock, chains, index, secrets, mailer, fetch, isFormHost, organisations } = options;
  const { clientLimit } = options.config;
  const parts = {
    kv,
    clock,
    chains,
    index,
    clientLimit,
    addToEnquiry: options.addToEnquiry,
    count: options.count,
    challenge: options.challenge?.() &&
      ((response: string | undefined, clientAddress: string) =>
        passesChallenge(
          { config: options.challenge!()!, fetch, clock, isFormHost },
          response,
          clientAddress,
        )),
  };
  // If two requests have the same key, the second one waits for the first one and returns its
  // record, without using the challenge response again. This only saves work: the store's checks
  // ensure correctness.
  const enqueue = createKeyedQueue();

  async function linkSlot(email: string, now: number): Promise<Slot> {
    // Signed, because addresses can be guessed, and the count would reveal who has written.
    const by = { secrets, purpose: "contact-mailbox" } as const;
    return await readSlot(kv, await mailboxLinks.signed(by, mailboxOf(email), []), now);
  }

  /** Returns the function that adds the confirmation link of an enquiry to its commit. */
  function mailsOf(
    { email }: Enquiry,
    key: OrganisationKey,
    urls: ContactUrls,
  ): RegisterOptions["addMails"] {
    const sender = senderOf(organisations, key);
    return async (commit, { hash, token, now }) => {
      const slot = await linkSlot(email, now);
      if (slot.waitMs > 0) return [];
      slot.take(commit);
      const mail = confirmationMail({
        sender,
        to: email,
        link: urls.confirm(token),
        verifyUrl: urls.verify(hash),
        myRecordUrl: urls.myRecord,
      });
      const expiresAt = now + CONFIRMATION_LIFETIME_MS;
      const about = aboutContact(hash);
      return [await mailer.add(commit, mail, { expiresAt, about, kind: "confirmation" })];
    };
  }

  return {
    linkSlot,
    async register(submission, sender, urls) {
      const addMails = mailsOf(submission.enquiry, sender.organisation, urls);
      const step = () => register({ ...parts, addMails }, submission, sender);
      const { idempotencyKey: key } = sender;
      const result = await (key === undefined ? step() : enqueue(key, step));
      if (result.ok) mailer.send(result.mails);
      return result;
    },
    addConfirmation(commit, hash, entry, urls) {
      const now = clock();
      const key = ownerOf(entry.value);
      const mail = confirmationMail({
        sender: senderOf(organisations, key),
        to: entry.value.record.email,
        link: urls.confirm(renewConfirmation(commit, hash, entry, now)),
        verifyUrl: urls.verify(hash),
        myRecordUrl: urls.myRecord,
      });
      const expiresAt = now + CONFIRMATION_LIFETIME_MS;
      return mailer.add(commit, mail, {
        expiresAt,
        about: aboutContact(hash),
        kind: "confirmation",
      });
    },
    findConfirmation: (token) => confirmations.find(kv, token, clock()),
    confirm: (token, addToCommit) => confirm(parts, token, addToCommit),
  };
}
