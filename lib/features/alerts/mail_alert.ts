import { type LostMail, organisationOfMail } from "../../platform/mail/mod.ts";
import type { AlertLinks, NewAlert } from "./mod.ts";

export const MAIL_FAILED = "mail_failed";

/**
 * Returns the alert about a mail that could not be sent. All mails of an organisation that failed
 * for one reason share an alert, because an outage of the mail server affects all of them. Offers of documents
 * have an alert of their own, because an issuer chooses their addresses, and an alert keeps only a few reports.
 */
export function mailAlert({ id, reason, about, kind, sender }: LostMail): NewAlert {
  return {
    organisation: organisationOfMail(sender),
    kind: MAIL_FAILED,
    problem: kind === "document_issued" ? `${reason}/${kind}` : reason,
    links: { mail: id, ...ownerOf(about) },
    details: { reason, ...kind === undefined ? {} : { mail: kind } },
  };
}

/**
 * Returns whether an administrator need not learn that a mail was lost: it was not sent to an address that takes
 * none, or it belongs to a batch, which shows the addresses that do not work, and stops if there are many.
 */
export const isExpected = ({ reason, batch }: LostMail): boolean =>
  reason === "address_stopped" || batch !== undefined && reason === "recipient_refused";

function ownerOf(about: string): AlertLinks {
  const [, what, id] = /^(user|contact)\/(.+)$/.exec(about) ?? [];
  if (what === "user") return { user: Number(id) };
  return what === "contact" ? { record: id } : {};
}
