import { checkMail, type Mail } from "../../../platform/mail/mod.ts";
import { linkMail, type LinkMailOptions, SIGN_IN } from "../sign_in/link_mails.ts";

/** Returns the mail to a new address, with the link that opens a record again. */
export function recoveryLinkMail(options: LinkMailOptions & { hash: string }): Mail {
  const { sender, hash, lasts } = options;
  return checkMail(linkMail(options, {
    ...SIGN_IN,
    lead: `${sender.name} has checked your identity. You can open your record ` +
      `${hash.slice(0, 8)} again with this link:`,
    note: `The link works once, within ${lasts}. After you sign in, correct the email address of ` +
      "your record. If you did not ask for this, you can ignore this email.",
    because: `${sender.name} was asked to give this address access to a record`,
  }));
}
