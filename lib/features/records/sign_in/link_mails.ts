/** The mails with links to records. */
import { checkMail, createMail, type Mail, type MailSender } from "../../../platform/mail/mod.ts";

export interface LinkMailOptions {
  sender: MailSender;
  to: string;
  link: string;
  /** How long the link works, such as `15 minutes`. */
  lasts: string;
}

/** Returns the URL of a link. Its base is configured and never taken from a request's `Host`. */
export const linkOn = (baseUrl: string, token: string): string =>
  `${baseUrl}/my-record/link?token=${token}`;

export const SIGN_IN = { title: "Sign in to My record", action: "Sign in" };

/** Returns the mail with a link that signs in to the records of an address. */
export function signInLinkMail(options: LinkMailOptions & { records: number }): Mail {
  const { sender, records, lasts } = options;
  const which = records === 1 ? "your record" : `your ${records} records`;
  return checkMail(linkMail(options, {
    ...SIGN_IN,
    lead: `Open ${which} at ${sender.name} with this link:`,
    note: `The link expires in ${lasts} and works once. ` +
      "If you did not ask to sign in, you can ignore this email.",
    because:
      `somebody asked to open the records with this address, and you have one at ${sender.name}`,
  }));
}

/** Returns a mail with a link and a note below it. */
export function linkMail(
  { sender, to, link }: Omit<LinkMailOptions, "lasts">,
  { title, lead, action, note, because }: {
    title: string;
    lead: string;
    action: string;
    note: string;
    because: string;
  },
): Mail {
  const subject = `${title} (${sender.name})`;
  const parts = [lead, { link, text: action }, { note }];
  return createMail({ sender, to, subject, title, parts, because });
}
