/** The texts of the inbox's mails: the reply to an enquiry, and the digest for operators. */
import { formatCount, formatDateTime } from "../../base/time.ts";
import { createMail, type Mail, type MailSender } from "../../platform/mail/mod.ts";
import type { Enquiry } from "../contact/mod.ts";
import type { InboxCounts } from "./list.ts";

/** The length of a quoted message, so that a mail with the longest reply fits into the store. */
const QUOTE_LIMIT = 1_500;

export interface ReplyMailOptions {
  sender: MailSender;
  enquiry: Enquiry;
  hash: string;
  /** True if the address is confirmed. Otherwise somebody else may have entered it. */
  confirmed: boolean;
  text: string;
  /** The operator's name. */
  author: string;
}

/** Returns whether a reply quotes the enquiry. */
export const quotes = ({ enquiry, confirmed }: Pick<ReplyMailOptions, "enquiry" | "confirmed">) =>
  confirmed && enquiry.message !== undefined;

/**
 * Returns the mail with an operator's reply. It shows what was typed into the form only to a confirmed
 * address: otherwise, anyone could make us send their own text to anyone.
 */
export function replyMail(options: ReplyMailOptions): Mail {
  const { sender, enquiry, hash, confirmed, text, author } = options;
  const { message = "", email } = enquiry;
  const quote = message.length > QUOTE_LIMIT ? `${message.slice(0, QUOTE_LIMIT)}…` : message;
  return createMail({
    sender,
    to: email,
    author,
    subject: `Your enquiry to ${sender.name} (${hash.slice(0, 8)})`,
    title: `${author} replies to your enquiry`,
    parts: [
      { written: text },
      { written: `${author}\n${sender.name}` },
      ...quotes(options) ? [{ quote, from: "Your message" }] : [],
    ],
    because: `${confirmed ? "you" : "somebody"} sent the contact form of ${sender.name} with ` +
      "this address",
  });
}

/** Returns the mail that tells one recipient how many enquiries wait, without their contents. */
export function digestMail({ sender, to, counts, link, isOperator }: {
  sender: MailSender;
  to: string;
  counts: InboxCounts;
  /** The inbox; null if this deployment does not serve the console. */
  link: string | null;
  isOperator: boolean;
}): Mail {
  const noun = counts.new === 1 ? "enquiry" : "enquiries";
  const title = `${formatCount(counts.new)} new ${noun} to ${sender.name}`;
  return createMail({
    sender,
    to,
    subject: title,
    title,
    parts: [
      {
        facts: [
          ["New", String(counts.new)],
          ["Open", String(counts.open)],
          ...counts.since === null
            ? []
            : [["Oldest new enquiry", formatDateTime(counts.since)] as const],
        ],
      },
      ...link === null ? [] : [{ link, text: "Open the inbox" }],
      {
        note: "While there are new enquiries, this email comes at most every 15 minutes." +
          (isOperator ? " You can turn it off in the console, under Team." : ""),
      },
    ],
    because: isOperator
      ? `you are an administrator of the console of ${sender.name}`
      : `this address is on the list for enquiries to ${sender.name}`,
  });
}
