import type { InvalidChain } from "../chain/store/mod.ts";
import { type LostMail, organisationOfMail } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { AlertLinks, NewAlert } from "../alerts/mod.ts";

/**
 * Returns the alert about a mail that could not be sent. All mails of an organisation that failed
 * for one reason share an alert, because an outage of the mail server affects all of them.
 */
export function mailAlert({ id, reason, about, kind, sender }: LostMail): NewAlert {
  return {
    organisation: organisationOfMail(sender),
    kind: "mail_failed",
    problem: reason,
    links: { mail: id, ...ownerOf(about) },
    details: { reason, ...kind === undefined ? {} : { mail: kind } },
  };
}

function ownerOf(about: string): AlertLinks {
  const [, what, id] = /^(user|contact)\/(.+)$/.exec(about) ?? [];
  if (what === "user") return { user: Number(id) };
  return what === "contact" ? { record: id } : {};
}

/** The number of invalid chains per check that get an alert of their own. */
export const MOST_CHAIN_ALERTS = 20;

/**
 * Returns the alert about a stored chain that is not valid. If something has damaged very many of
 * them, the rest share one alert.
 *
 * @param count the number of invalid chains that the check has found so far
 */
export const chainAlert = (
  organisation: OrganisationKey,
  { hash, code, seq }: InvalidChain,
  count: number,
): NewAlert => ({
  organisation,
  kind: "chain_failed",
  problem: count > MOST_CHAIN_ALERTS ? "more" : hash,
  links: { record: hash },
  details: { code, ...seq === undefined ? {} : { seq } },
});
