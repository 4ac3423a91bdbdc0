import { z } from "zod";
import { headerText, mailAddress } from "./address.ts";

/** A mail to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where an answer should go, if not to the sender. */
  replyTo?: string;
}

/** A mail whose sender is known: `Name <address>` or the address alone. */
export type OutgoingMail = Mail & { from: string };

/** Carries mails away. */
export interface MailTransport {
  readonly name: string;
  /**
   * Resolves when the mail was taken over. It ends in bounded time.
   *
   * @throws {MailError} (rejects) when it was not
   */
  send(mail: OutgoingMail): Promise<void>;
  /** Lets go of what it keeps open. Nothing is sent afterwards. */
  close?(): void;
}

/** Why a mail was not taken over. Stable: logs carry it, and people search for it. */
export type MailFailure =
  | "invalid_mail"
  | "connection_failed"
  | "tls_failed"
  | "timeout"
  | "protocol_error"
  | "auth_failed"
  | "sender_refused"
  | "recipient_refused"
  | "message_refused"
  | "rate_limited"
  | "redirected"
  | "server_error"
  | "unexpected";

/** A mail that was not taken over. It says nothing about whose it was, so it may be logged. */
export class MailError extends Error {
  override readonly name = "MailError";
  constructor(readonly code: MailFailure) {
    super(`The mail was not sent: ${code}.`);
  }
}

const mailSchema = z.object({
  to: mailAddress,
  subject: headerText,
  text: z.string(),
  html: z.string(),
  replyTo: mailAddress.optional(),
});

/**
 * The mail as it may leave: whatever stands in a header fits in one line and cannot start another.
 *
 * @throws {MailError} `invalid_mail`
 */
export function checkMail(mail: Mail): Mail {
  const checked = mailSchema.safeParse(mail);
  if (!checked.success) throw new MailError("invalid_mail");
  return checked.data;
}
