import { type Mail, MailLink, MailNote, mailPage } from "../mail/mod.ts";
import type { Enquiry } from "./submission.ts";

export interface NoticeMailOptions {
  to: string;
  enquiry: Enquiry;
  /** The record's hash. */
  hash: string;
  /** Where the record's chain is verified. */
  verifyUrl: string;
}

const UNCONFIRMED = "An answer to this mail goes to the email address, which is not confirmed yet.";

/**
 * Tells the team of an enquiry; an answer goes to who made it. What was typed stands in the body
 * alone: the subject is ours.
 */
export function noticeMail({ to, enquiry, hash, verifyUrl }: NoticeMailOptions): Mail {
  const { name, organisation, email, mobile, enquiry_type, message } = enquiry;
  const facts: [label: string, value: string | undefined][] = [
    ["Name", name],
    ["Organisation", organisation],
    ["Email", email],
    ["Mobile", mobile],
    ["Enquiry type", enquiry_type],
    ["Record", hash],
  ];
  const given = facts.filter(([, value]) => value !== undefined);
  const title = `New enquiry: ${enquiry_type}`;
  return {
    to,
    replyTo: email,
    subject: `${title} (${hash.slice(0, 8)})`,
    text: [
      given.map(([label, value]) => `${label}: ${value}`).join("\n"),
      ...message === undefined ? [] : [`Message:\n${message.replace(/^/gm, "> ")}`],
      UNCONFIRMED,
      verifyUrl,
    ].join("\n\n") + "\n",
    html: mailPage(
      title,
      <>
        {given.map(([label, value]) => (
          <p style="margin: 0 0 8px; overflow-wrap: anywhere;">
            <strong>{label}:</strong> {value}
          </p>
        ))}
        {message !== undefined && (
          <p style="margin: 16px 0 0; white-space: pre-wrap; overflow-wrap: anywhere;">{message}</p>
        )}
        <MailNote>{UNCONFIRMED}</MailNote>
        <MailNote>
          Its chain: <MailLink href={verifyUrl} />
        </MailNote>
      </>,
    ),
  };
}
