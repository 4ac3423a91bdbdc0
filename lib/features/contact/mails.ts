import { createMail, type Mail, type MailSender } from "../../platform/mail/mod.ts";
import { CONTACT_FIELDS, type Enquiry } from "./fields.ts";
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
const IGNORE = "If this was not you, ignore this mail.";

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

export interface NoticeMailOptions {
  sender: MailSender;
  to: string;
  enquiry: Enquiry;
  hash: string;
  verifyUrl: string;
}

const UNCONFIRMED =
  "If you reply to this mail, your reply goes to the sender's email address, which is not confirmed yet.";

/**
 * Returns the mail that notifies the team of an enquiry. What was typed appears in the body, but
 * not in the subject.
 */
export function noticeMail(
  { sender, to, enquiry, hash, verifyUrl }: NoticeMailOptions,
): Mail {
  const given = CONTACT_FIELDS.flatMap(({ name, label, kind }) => {
    const value = enquiry[name];
    return value === undefined ? [] : [{ label, value, isLong: kind === "text" }];
  });
  const facts = given.filter(({ isLong }) => !isLong)
    .map(({ label, value }) => [label, value] as const);
  const texts = given.filter(({ isLong }) => isLong);
  const type = enquiry.enquiry_type ?? "type not given";
  const title = `New enquiry to ${sender.name}: ${type}`;
  return createMail({
    sender,
    to,
    replyTo: enquiry.email,
    subject: `${title} (${hash.slice(0, 8)})`,
    title,
    parts: [
      { facts: [...facts, ["Record", hash]] },
      ...texts.map(({ label, value }) => ({ quote: value, from: label })),
      { note: UNCONFIRMED },
      { note: "Its chain:", href: verifyUrl },
    ],
    because: `this address is on the list for enquiries to ${sender.name}`,
  });
}
