import { checkMail, type Mail, MailAction, MailNote, mailPage } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";

interface LinkMailOptions {
  sender: { key: OrganisationKey; name: string };
  to: string;
  link: string;
  /** How long the link works, such as `15 minutes`. */
  lasts: string;
}

/** Returns the URL of a link. Its base is configured and never taken from a request's `Host`. */
export const linkOn = (baseUrl: string, token: string): string =>
  `${baseUrl}/my-record/link?token=${token}`;

const TITLE = "Sign in to My record";

/** Returns the mail with a link that signs in to the records of an address. */
export function signInLinkMail(options: LinkMailOptions & { records: number }): Mail {
  const { sender, records, lasts } = options;
  const which = records === 1 ? "your record" : `your ${records} records`;
  return linkMail(options, {
    lead: `Open ${which} at ${sender.name} with this link:`,
    note: `The link expires in ${lasts} and works once. ` +
      "If you did not ask to sign in, you can ignore this mail.",
  });
}

/** Returns the mail to a new address, with the link that opens a record again. */
export function recoveryLinkMail(options: LinkMailOptions & { hash: string }): Mail {
  const { sender, hash, lasts } = options;
  return linkMail(options, {
    lead: `${sender.name} has checked your identity. You can open your record ` +
      `${hash.slice(0, 8)} again with this link:`,
    note: `The link works once, within ${lasts}. After you sign in, correct the email address of ` +
      "your record. If you did not ask for this, you can ignore this mail.",
  });
}

function linkMail(
  { sender, to, link }: LinkMailOptions,
  { lead, note }: { lead: string; note: string },
): Mail {
  return checkMail({
    sender: sender.key,
    to,
    subject: `${TITLE} (${sender.name})`,
    text: [lead, link, note].join("\n\n") + "\n",
    html: mailPage(
      TITLE,
      <>
        <p>{lead}</p>
        <MailAction href={link} text="Sign in" />
        <MailNote>{note}</MailNote>
      </>,
    ),
  });
}
