/** Mails: what they say, how they leave, and what is known of those that didn't. */
export { formatSender, mailAddress, mailSender, type Sender } from "./address.ts";
export { emailSchema, mailboxOf, normaliseEmail } from "./email.ts";
export { countMailFailure, readMailFailures } from "./failures.ts";
export { createHttpTransport, type HttpMailOptions, mailApiUrl } from "./http.ts";
export {
  checkMail,
  type Mail,
  MailError,
  type MailFailure,
  type MailTransport,
  type OutgoingMail,
} from "./mail.ts";
export { MailAction, MailLink, MailNote, mailPage } from "./mail_page.tsx";
export { createMailer, type Mailer, type MailerOptions } from "./mailer.ts";
export { createOutbox, type Outbox, type OutboxMail, type OutboxOptions } from "./outbox.ts";
export { createSmtpTransport, type SmtpOptions } from "./smtp.ts";
export { type SmtpServer, smtpUrl } from "./smtp_url.ts";
export { createTransport, type TransportConfig, type TransportDeps } from "./transport.ts";
