import { createMail, type Mail, type MailSender } from "../../platform/mail/mod.ts";
import { CONFIRMATION_LIFETIME_MS } from "./confirmations.ts";
import { DAY_MS, plural } from "../../base/time.ts";

export interface ConfirmationMailOptions {
  sender: MailSender;
  to: string;
  link: string;
  verifyUrl: string;
  myRecordUrl: string;
}

const CONFIRM_TITLE = "Confirm your email address";
const EXPIRY = `The link works for ${plural(CONFIRMATION_LIFETIME_MS / DAY_MS, "day")}.`;
const IGNORE = "If this was not you, ignore this email.";

/**
 * Returns the mail that asks the holder of an address to confirm it. It contains nothing that was
 * typed into the form: until the address is confirmed, anyone could have entered it to send their
 * own text to this person.
 */
export function confirmationMail(
  { sender, to, link, verifyUrl, myRecordUrl }: ConfirmationMailOptions,
): Mail {
  return createMail({
    sender,
    to,
    subject: `${CONFIRM_TITLE} for your enquiry to ${sender.name}`,
    title: CONFIRM_TITLE,
    parts: [
      `This address was entered in the contact form of ${sender.name}. ` +
      "Confirming it adds an event to the record of that enquiry.",
      { link, text: "Confirm" },
      { note: `${EXPIRY} ${IGNORE}` },
      { note: "You can verify the record at any time:", href: verifyUrl },
      { note: "Once the address is confirmed, it opens your record:", href: myRecordUrl },
    ],
    because: `somebody sent the contact form of ${sender.name} with this address`,
  });
}
