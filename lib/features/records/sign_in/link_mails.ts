import { checkMail, createMail, type Mail, type MailSender } from "../../../platform/mail/mod.ts";

interface LinkMailOptions {
  sender: MailSender;
  to: string;
  link: string;
  /** How long the link works, such as `15 minutes`. */
  lasts: string;
}

/** Returns the URL of a link. Its base is configured and never taken from a request's `Host`. */
export const linkOn = (baseUrl: string, token: string): string =>
  `${baseUrl}/my-record/link?token=${token}`;

const SIGN_IN = { title: "Sign in to My record", action: "Sign in" };

/** Returns the mail with a link that signs in to the records of an address. */
export function signInLinkMail(options: LinkMailOptions & { records: number }): Mail {
  const { sender, records, lasts } = options;
  const which = records === 1 ? "your record" : `your ${records} records`;
  return checkMail(linkMail(options, {
    ...SIGN_IN,
    lead: `Open ${which} at ${sender.name} with this link:`,
    note: `The link expires in ${lasts} and works once. ` +
      "If you did not ask to sign in, you can ignore this mail.",
    because:
      `somebody asked to open the records with this address, and you have one at ${sender.name}`,
  }));
}

/** Returns the mail to a new address, with the link that opens a record again. */
export function recoveryLinkMail(options: LinkMailOptions & { hash: string }): Mail {
  const { sender, hash, lasts } = options;
  return checkMail(linkMail(options, {
    ...SIGN_IN,
    lead: `${sender.name} has checked your identity. You can open your record ` +
      `${hash.slice(0, 8)} again with this link:`,
    note: `The link works once, within ${lasts}. After you sign in, correct the email address of ` +
      "your record. If you did not ask for this, you can ignore this mail.",
    because: `${sender.name} was asked to give this address access to a record`,
  }));
}

/**
 * Returns the mail that asks for confirmation of a corrected address. It contains nothing that was
 * typed into the form, because anyone could have entered the address.
 */
export const correctionMail = (options: Omit<LinkMailOptions, "lasts">): Mail =>
  linkMail(options, {
    title: "Confirm your corrected email address",
    lead:
      `The holder of a record at ${options.sender.name} entered this address as a correction. ` +
      "Confirming it puts the corrected record in force. Everyone who can open the record now keeps " +
      "access to it, so confirm the address only if the record is yours.",
    action: "Confirm",
    note:
      "The link works for 7 days. Until you use it, the previous record stays in force. If this " +
      "was not you, ignore this mail. The correction then expires.",
    because: `this address was entered as a correction of a record at ${options.sender.name}`,
  });

/** Returns a mail with a link and a note below it. */
function linkMail(
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
