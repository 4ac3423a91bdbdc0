import { type Mail, MailAction, MailLink, MailNote, mailPage } from "../mail/mod.ts";

export interface ConfirmationMailOptions {
  /** Whose form it was. */
  organisation: string;
  to: string;
  /** The page that confirms, with the token. */
  link: string;
  /** Where the record's chain is verified. */
  verifyUrl: string;
}

const TITLE = "Confirm your email address";
const EXPIRY = "The link is good for 7 days.";
const IGNORE = "If that was not you, you can ignore this mail.";

/**
 * The mail that asks whether an address is its holder's. Nothing that was typed into the form is in
 * it, for until the answer anybody may have typed it, to send this person what they like.
 */
export function confirmationMail(
  { organisation, to, link, verifyUrl }: ConfirmationMailOptions,
): Mail {
  const reason = `This address was entered in the contact form of ${organisation}. ` +
    "Confirming it adds an event to the record of that enquiry.";
  return {
    to,
    subject: `${TITLE} for your enquiry to ${organisation}`,
    text: [
      reason,
      link,
      `${EXPIRY} ${IGNORE}`,
      `The record, to be verified at any time:\n${verifyUrl}`,
    ].join("\n\n") + "\n",
    html: mailPage(
      TITLE,
      <>
        <p>{reason}</p>
        <MailAction href={link} text="Confirm" />
        <MailNote>{EXPIRY} {IGNORE}</MailNote>
        <MailNote>
          The record, to be verified at any time: <MailLink href={verifyUrl} />
        </MailNote>
      </>,
    ),
  };
}
