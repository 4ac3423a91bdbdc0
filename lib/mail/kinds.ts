/** The kinds of mail, with their names for administrators. */
export const MAIL_KINDS = {
  sign_in: "sign-in link",
  record_sign_in: "sign-in link for a record",
  confirmation: "confirmation of an address",
  enquiry: "enquiry to the team",
  correction: "confirmation of a correction",
  notice: "security notice",
  recovery: "recovery link",
  access_confirmation: "confirmation of an access request",
  access_approved: "access to a document",
  access_refused: "refusal of access",
} as const;

export type MailKind = keyof typeof MAIL_KINDS;
