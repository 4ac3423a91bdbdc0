/**
 * The server side of the contact form (spec 2.8, 4.6): an enquiry becomes a record with a chain,
 * and the sender confirms the email address.
 *
 * @module
 */
import type { Chains } from "../chain/mod.ts";
import type { ContactConfig } from "./variables.ts";
import { bind } from "../../base/bind.ts";
import { createKeyedQueue } from "../../platform/kv/mod.ts";
import type { Mailer, MailOrganisation } from "../../platform/mail/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { Count } from "../../platform/telemetry/mod.ts";
import { passesChallenge } from "./challenge.ts";
import { confirm, findConfirmation } from "./confirm.ts";
import { addConfirmation, linkSlot } from "./confirmation_mails.ts";
import type { ContactIndex } from "./contact_index.ts";
import type { AddToEnquiry } from "./register.ts";
import { submit } from "./submit.ts";

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

/**
 * Creates the contact form. Nothing is read, written or sent until a method is called. Every method rejects with
 * `KvBusyError` if the store is too busy.
 *
 * @example
 * ```ts
 * const submission = checkInput(submissionSchema, await readInput(req));
 * const { registered } = unwrap(await contact.register(submission, { clientAddress, organisation }, urls));
 * return Response.json(receiptOf(registered, organisationName, urls));
 * ```
 */
export const createContact = ({ config, challenge, fetch, isFormHost, ...given }: ContactOptions) =>
  bind({
    ...given,
    clientLimit: config.clientLimit,
    challenge: challenge?.() &&
      ((response: string | undefined, clientAddress: string) =>
        passesChallenge(
          { config: challenge!()!, fetch, clock: given.clock, isFormHost },
          response,
          clientAddress,
        )),
    enqueue: createKeyedQueue(),
  }, { register: submit, linkSlot, addConfirmation, findConfirmation, confirm });

export type Contact = ReturnType<typeof createContact>;
