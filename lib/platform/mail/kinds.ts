/** The kinds of mail, with their names for administrators. */
export const MAIL_KINDS = {
  sign_in: "sign-in link",
  invitation: "invitation to a console",
  operator: "notice about an operator",
  record_sign_in: "sign-in link for a record",
  confirmation: "confirmation of an address",
  reply: "reply to an enquiry",
  inbox_digest: "digest of the inbox",
  alert_digest: "morning’s alerts",
  correction: "confirmation of a correction",
  notice: "security notice",
  recovery: "recovery link",
  access_confirmation: "confirmation of an access request",
  access_approved: "access to a document",
  access_refused: "refusal of access",
  issuer_domain: "warning about an issuer’s domain",
  document_issued: "offer of a document",
  access_withdrawn: "notice that a document was withdrawn",
  issuer: "notice to an issuer",
} as const;

/** The reasons for giving up a mail, in words. Other reasons are errors of the site. */
export const MAIL_FAILURES: Readonly<Record<string, string>> = {
  invalid_mail: "The address or the email is malformed.",
  connection_failed: "The mail server could not be reached.",
  tls_failed: "The connection to the mail server is not secure.",
  timeout: "The mail server did not respond in time.",
  protocol_error: "The mail server sent a response that could not be read.",
  auth_failed: "The mail server rejected the password or key.",
  sender_refused: "The mail server does not accept the sender.",
  policy_refused: "The recipient’s mail server does not accept emails from this sender.",
  recipient_refused: "The recipient’s mail server does not accept the address.",
  recipient_unavailable:
    "The recipient’s mail server could not accept the email, for example because the mailbox is full.",
  address_stopped:
    "No email goes to this address any more: an earlier one came back, or its owner has reported one as spam.",
  complaint: "The recipient has reported the email as spam.",
  message_refused: "The mail server rejected the email.",
  deferred: "The mail server asked to try again later.",
  rate_limited: "The mail server accepts no more emails for now.",
  redirected: "The mail service redirected the request to another address.",
  server_error: "The mail server had an error.",
  expired: "The link in it expired before the email could be sent.",
  interrupted: "The site stopped during every attempt to send it.",
  not_decrypted: "It was encrypted with an APP_SECRET that is no longer configured.",
};

export type MailKind = keyof typeof MAIL_KINDS;
