/** The text of the mail that warns an issuer about its domain. */
import { formatDay } from "../../base/time.ts";
import { checkMail, createMail, type Mail, type MailSender } from "../../platform/mail/mod.ts";
import { fileUrlOf, proofTextOf, recordNameOf } from "./domain_check.ts";
import { lossOf } from "./domain_status.ts";
import type { IssuerDomain } from "./rows.ts";

/** Returns the mail that warns an issuer whose domain fails its checks, or no longer counts as verified. */
export function domainMail({ sender, to, issuer, domain, lost }: {
  sender: MailSender;
  to: string;
  /** The issuer's name. */
  issuer: string;
  domain: IssuerDomain & { failing_since: string };
  lost: boolean;
}): Mail {
  const { name, failing_since } = domain;
  const end = formatDay(new Date(lossOf(failing_since)).toISOString());
  const subject = lost
    ? `${name} is no longer verified`
    : `We could not verify ${name}: please act before ${end}`;
  return checkMail(createMail({
    sender,
    to,
    subject,
    title: subject,
    parts: [
      lost
        ? `The pages of documents that ${issuer} has issued now say “domain no longer verified” ` +
          `beside ${name}. The documents remain registered.`
        : `The pages of documents that ${issuer} has issued say that ${name} is verified. Since ` +
          `${
            formatDay(failing_since)
          }, we have found the proof of it neither in the DNS nor in the ` +
          `file. If that lasts until ${end}, the pages will say “domain no longer verified”.`,
      lost
        ? `To verify it again, write to ${sender.organisation.contactEmail}. Either of these must then ` +
          "be in place:"
        : "Put either of these in place again. We look for them every day:",
      {
        facts: [
          ["TXT record", `${recordNameOf(name)} with ${proofTextOf(domain)}`],
          ["or file", `${fileUrlOf(name)} with ${proofTextOf(domain)}`],
        ],
      },
    ],
    because: `${sender.name} has this address as the contact of ${issuer}`,
  }));
}
