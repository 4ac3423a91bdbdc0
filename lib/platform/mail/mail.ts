/** The types of a mail and of a transport, and the kinds of failure to send one. */
import { z } from "zod";
import type { SenderKey } from "../surfaces/table.ts";
import { headerText, mailAddress, personName } from "./address.ts";

/** A mail before it is sent. */
export interface Mail {
  /** The organisation in whose name it is sent. Its address is configured. */
  sender: SenderKey;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The address for replies, if not the sender's. */
  replyTo?: string;
  /** The person who wrote it. Absent if the site did. */
  author?: string;
}

/** A mail with the address of its sender. */
export type OutgoingMail = Omit<Mail, "sender" | "author"> & {
  /** `Name <address>`, or the address alone. */
  from: string;
  /** True if the site wrote it, so that programs do not answer it. */
  automatic?: boolean;
  /** The same in every attempt, so that the receiver can detect duplicates. */
  id?: string;
  /** The address to which servers report what became of it (RFC 5321, 4.4), if not the sender's. */
  returnTo?: string;
};

export interface MailTransport {
  readonly name: string;
  /**
   * Resolves when the server has accepted the mail. Always settles within a bounded time.
   *
   * @throws {MailError} if the server has not accepted it
   */
  send(mail: OutgoingMail): Promise<void>;
  /**
   * Closes its connections. No mail can be sent afterwards.
   *
   * @param options.force also cuts off mails that are being sent
   */
  close?(options?: { force: boolean }): void;
}

/**
 * Why a mail was not accepted. Stable codes, because they are logged and people search for them.
 */
export type MailFailure =
  | "invalid_mail"
  | "connection_failed"
  | "tls_failed"
  | "timeout"
  | "protocol_error"
  | "auth_failed"
  /** The server refused the sender itself, so it accepts none of its mails. */
  | "sender_refused"
  /** The server refused a recipient or a mail because of who sends it. */
  | "policy_refused"
  | "recipient_refused"
  /** The server refused a recipient for a reason that may pass, such as a full mailbox. */
  | "recipient_unavailable"
  | "message_refused"
  | "deferred"
  | "rate_limited"
  | "redirected"
  | "server_error"
  | "unexpected";

/**
 * Thrown when a mail is not accepted. Contains nothing about the recipient, so it may be logged.
 */
export class MailError extends Error {
  override readonly name = "MailError";
  /** @param reply the code of the server's reply, such as `550 5.1.1`, without its text */
  constructor(readonly code: MailFailure, readonly reply?: string) {
    super(`The mail was not sent: ${code}.`);
  }
}

/**
 * Failures that a retry cannot fix. The others may be temporary, or an operator may fix the cause.
 */
const PERMANENT: ReadonlySet<MailFailure> = new Set([
  "invalid_mail",
  "recipient_refused",
  "message_refused",
]);

export const isPermanent = (failure: MailFailure): boolean => PERMANENT.has(failure);

/** Returns whether a failure may concern one mail or address, so that others may be accepted. */
export const isAboutOneMail = (failure: MailFailure): boolean =>
  isPermanent(failure) || PASSING.has(failure);

const PASSING: ReadonlySet<MailFailure> = new Set([
  "deferred",
  "policy_refused",
  "recipient_unavailable",
]);

const mailSchema = z.object({
  sender: z.enum(["product", "foundation", "commercial"]),
  to: mailAddress,
  subject: headerText,
  text: z.string(),
  html: z.string(),
  replyTo: mailAddress.optional(),
  author: personName.optional(),
});

/**
 * Returns a mail whose header values are single lines that cannot start another header.
 *
 * @throws {MailError} `invalid_mail` otherwise
 */
export function checkMail(mail: Mail): Mail {
  const checked = mailSchema.safeParse(mail);
  if (!checked.success) throw new MailError("invalid_mail");
  return checked.data;
}
