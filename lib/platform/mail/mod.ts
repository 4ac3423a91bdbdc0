/** Mails: their layout, how they are sent, and how many failed. */
export { emailSchema } from "../../base/email.ts";
export { mailAddress, personName } from "./address.ts";
export {
  fingerprintsOf,
  isStopped,
  type MailAddress,
  mailAddresses,
  readAddress,
  refusedSince,
} from "./addresses.ts";
export { MAIL_FAILURES, MAIL_KINDS, type MailKind } from "./kinds.ts";
export { checkMail, type Mail, MailError } from "./mail.ts";
export {
  type AddToLoss,
  countMailFailure,
  createMailer,
  MAIL_CHANNEL,
  type Mailer,
  mails,
  type OnSender,
  type PrepareMail,
  type QueuedMail,
  readMailFailures,
} from "./mailer.ts";
export { readReturnPath } from "./return_path.ts";
export type { AddToReturn, LostMail, MailReport } from "./returns.ts";
export { bounceOf, enhancedStatus } from "./status.ts";
export {
  createMail,
  type MailOrganisation,
  type MailPart,
  type MailSender,
  organisationOfMail,
  senderOf,
} from "./template.tsx";
export { transactAndMail } from "./transact_and_mail.ts";
export {
  createDevOutbox,
  createTransport,
  type DevOutbox,
  type DevOutboxMail,
} from "./transport.ts";
