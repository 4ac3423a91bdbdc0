import { type Mail, MailAction, MailNote, mailPage } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";

const TITLE = "Confirm your corrected email address";
const EXPIRY = "The link works for 7 days. Until you use it, the previous record stays in force.";
const IGNORE = "If this was not you, ignore this mail. The correction then expires.";

/**
 * Returns the mail that asks for confirmation of a corrected address. It contains nothing that was
 * typed into the form, because anyone could have entered the address.
 */
export function correctionMail({ organisation, to, link }: {
  organisation: { key: OrganisationKey; name: string };
  to: string;
  link: string;
}): Mail {
  const reason = `The holder of a record at ${organisation.name} entered this address as a ` +
    "correction. Confirming it puts the corrected record in force. Everyone who can open the record " +
    "now keeps access to it, so confirm the address only if the record is yours.";
  return {
    sender: organisation.key,
    to,
    subject: `${TITLE} (${organisation.name})`,
    text: [reason, link, `${EXPIRY} ${IGNORE}`].join("\n\n") + "\n",
    html: mailPage(
      TITLE,
      <>
        <p>{reason}</p>
        <MailAction href={link} text="Confirm" />
        <MailNote>{EXPIRY} {IGNORE}</MailNote>
      </>,
    ),
  };
}
