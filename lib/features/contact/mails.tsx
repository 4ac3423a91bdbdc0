import { type Mail, MailAction, MailLink, MailNote, mailPage } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { CONTACT_FIELDS, type Enquiry } from "./fields.ts";
import { CONFIRMATION_LIFETIME_MS } from "./confirmations.ts";
import { DAY_MS, plural } from "../../base/time.ts";

/** The organisation that an enquiry belongs to: its mails are sent in its name. */
export interface Organisation {
  key: OrganisationKey;
  name: string;
}

export interface ConfirmationMailOptions {
  organisation: Organisation;
  to: string;
  link: string;
  verifyUrl: string;
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
  { organisation, to, link, verifyUrl }: ConfirmationMailOptions,
): Mail {
  const reason = `This address was entered in the contact form of ${organisation.name}. ` +
    "Confirming it adds an event to the record of that enquiry.";
  return {
    sender: organisation.key,
    to,
    subject: `${CONFIRM_TITLE} for your enquiry to ${organisation.name}`,
    text: [
      reason,
      link,
      `${EXPIRY} ${IGNORE}`,
      `You can verify the record at any time:\n${verifyUrl}`,
    ].join("\n\n") + "\n",
    html: mailPage(
      CONFIRM_TITLE,
      <>
        <p>{reason}</p>
        <MailAction href={link} text="Confirm" />
        <MailNote>{EXPIRY} {IGNORE}</MailNote>
        <MailNote>
          You can verify the record at any time: <MailLink href={verifyUrl} />
        </MailNote>
      </>,
    ),
  };
}

export interface NoticeMailOptions {
  organisation: Organisation;
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
  { organisation, to, enquiry, hash, verifyUrl }: NoticeMailOptions,
): Mail {
  const given = CONTACT_FIELDS.flatMap(({ name, label, kind }) => {
    const value = enquiry[name];
    return value === undefined ? [] : [{ label, value, isLong: kind === "text" }];
  });
  const lines = [...given.filter(({ isLong }) => !isLong), { label: "Record", value: hash }];
  const texts = given.filter(({ isLong }) => isLong);
  const type = enquiry.enquiry_type ?? "type not given";
  const title = `New enquiry to ${organisation.name}: ${type}`;
  return {
    sender: organisation.key,
    to,
    replyTo: enquiry.email,
    subject: `${title} (${hash.slice(0, 8)})`,
    text: [
      lines.map(({ label, value }) => `${label}: ${value}`).join("\n"),
      ...texts.map(({ label, value }) => `${label}:\n${value.replace(/^/gm, "> ")}`),
      UNCONFIRMED,
      verifyUrl,
    ].join("\n\n") + "\n",
    html: mailPage(
      title,
      <>
        {lines.map(({ label, value }) => (
          <p style="margin: 0 0 8px; overflow-wrap: anywhere;">
            <strong>{label}:</strong> {value}
          </p>
        ))}
        {texts.map(({ value }) => (
          <p style="margin: 16px 0 0; white-space: pre-wrap; overflow-wrap: anywhere;">{value}</p>
        ))}
        <MailNote>{UNCONFIRMED}</MailNote>
        <MailNote>
          Its chain: <MailLink href={verifyUrl} />
        </MailNote>
      </>,
    ),
  };
}
