/**
 * The contact form's server side (spec 2.8, 4.6): an enquiry becomes a record with a chain, the
 * enquirer confirms the email address, the team is told. For the server alone.
 *
 * @module
 */
import type { Chains } from "../chain/store/mod.ts";
import type { ContactConfig } from "../config/contact.ts";
import { createKeyedQueue } from "../kv/mod.ts";
import type { Mailer } from "../mail/mod.ts";
import type { Addresses } from "./addresses.ts";
import { passesChallenge } from "./challenge.ts";
import { confirm, type ConfirmationState, lookUp } from "./confirm.ts";
import { confirmationMail } from "./confirmation_mail.tsx";
import { decoyChain } from "./decoy.ts";
import { createMailLimit } from "./mail_limit.ts";
import { noticeMail } from "./notice_mail.tsx";
import { register, type RegisterResult, type Sender } from "./register.ts";
import type { Submission } from "./submission.ts";

export { type Addresses, addressesOn } from "./addresses.ts";
export { answerOf } from "./answer.ts";
export type { Confirmable, ConfirmationState } from "./confirm.ts";
export type { StoredContact } from "./contacts.ts";
export { deleteContact, recordsOf } from "./delete_contact.ts";
export type { RegisteredEnquiry, RegisterResult, Sender } from "./register.ts";
export { type Enquiry, type Submission, submissionSchema } from "./submission.ts";

export interface ContactOptions {
  kv: Deno.Kv;
  /** Milliseconds since 1970. */
  clock: () => number;
  chains: Chains;
  mailer: Mailer;
  /** Asks the provider of the bot challenge. */
  fetch: typeof fetch;
  config: Pick<ContactConfig, "clientLimit" | "notify" | "challenge">;
  /** Whether the form may be on a host: one of ours, or one that may embed it. */
  isFormHost: (hostname: string) => boolean;
  /** Whose form it is, as its mails say it. */
  organisation: string;
}

/** All of the contact form. Every method rejects with `KvBusyError` where the store is too busy. */
export interface Contact {
  /**
   * Registers a submission, and then mails the enquirer a link, unless the address has had as many
   * within the hour as one client may ask for, and the team a notice.
   *
   * @param addresses where the links of the mails lead
   */
  register(
    submission: Submission,
    sender: Sender,
    addresses: Addresses,
  ): Promise<RegisterResult>;
  /** Looks at a link of the confirmation mail, and changes nothing. */
  lookUp(token: string): Promise<ConfirmationState>;
  /** Confirms the email address of a link's record, once. */
  confirm(token: string): Promise<ConfirmationState>;
}

/**
 * Puts the parts together. Nothing is read, written or sent before the first call.
 *
 * @example
 * ```ts
 * const submission = checkInput(submissionSchema, await readInput(req));
 * const result = await contact.register(submission, { clientAddress }, addresses);
 * if (result.ok) return Response.json(answerOf(result.registered, addresses));
 * ```
 */
export function createContact(options: ContactOptions): Contact {
  const { kv, clock, chains, mailer, fetch, isFormHost, organisation } = options;
  const { clientLimit, notify, challenge } = options.config;
  const parts = {
    kv,
    clock,
    chains,
    clientLimit,
    challenge: challenge &&
      ((answer: string | undefined, clientAddress: string) =>
        passesChallenge({ config: challenge, fetch, clock, isFormHost }, answer, clientAddress)),
    decoy: async (now: number) => decoyChain(chains.publisher, await chains.kid(), now),
  };
  const mayMail = createMailLimit({ limit: clientLimit, clock });
  // Of twins that come at once, the second finds what the first has registered, and does not spend
  // the challenge's answer again. The store's own checks are what keeps them one.
  const enqueue = createKeyedQueue();
  return {
    async register(submission, sender, addresses) {
      const step = () => register(parts, submission, sender);
      const { idempotencyKey: key } = sender;
      const result = await (key === undefined ? step() : enqueue(key, step));
      if (result.ok && result.token !== undefined) {
        const { enquiry, chain: { hash } } = result.registered;
        const verifyUrl = addresses.verify(hash);
        if (mayMail(enquiry.email)) {
          const link = addresses.confirm(result.token);
          mailer.post(confirmationMail({ organisation, to: enquiry.email, link, verifyUrl }));
        }
        for (const to of notify) mailer.post(noticeMail({ to, enquiry, hash, verifyUrl }));
      }
      return result;
    },
    lookUp: (token) => lookUp(parts, token),
    confirm: (token) => confirm(parts, token),
  };
}
