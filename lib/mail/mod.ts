/** Mails: their layout, how they are sent, and how many failed. */
export { formatSender, mailAddress, mailSender, type Sender } from "./address.ts";
export { emailSchema, mailboxOf, normaliseEmail } from "./email.ts";
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
export {
  countMailFailure,
  createMailer,
  type Mailer,
  type MailerOptions,
  readMailFailures,
} from "./mailer.ts";
export { createSmtpTransport, type SmtpOptions, type SmtpServer, smtpUrl } from "./smtp.ts";
export {
  createOutbox,
  createTransport,
  type Outbox,
  type OutboxMail,
  type OutboxOptions,
  type TransportConfig,
  type TransportDeps,
} from "./transport.ts";
