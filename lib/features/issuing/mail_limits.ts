/**
 * The limits of mails to one mailbox.
 *
 * @module
 */
import { mailboxOf } from "../../base/email.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS } from "../../base/time.ts";
import { defineLimit, type SlidingWindow } from "../../platform/kv/mod.ts";

/** How many mails a mailbox gets in a day about the documents of one issuer, at all of its addresses. */
const MAILS_OF_ISSUER = 10;

/** How many mails a mailbox gets in a day about the documents of all issuers. */
const MAILS_OF_ALL = 30;

export const mailLimits = {
  ofIssuer: defineLimit({
    name: "recipient_mails_of_issuer",
    limit: MAILS_OF_ISSUER,
    windowMs: DAY_MS,
    per: "mailbox of a recipient of one issuer",
    privacy: {
      section: "record",
      label: "Limits",
      text:
        "When we emailed you about documents that organisations issue to you, with keyed fingerprints of " +
        "your mailbox, for a day.",
    },
  }),
  ofAll: defineLimit({
    name: "recipient_mails",
    limit: MAILS_OF_ALL,
    windowMs: DAY_MS,
    per: "mailbox of a recipient",
    privacy: { section: "record", label: "Limits" },
  }),
};

/** Returns the limits of a mail to a recipient. The mail is not sent if one of them is reached. */
export const limitsOf = (
  secrets: Secrets,
  { issuer, to }: { issuer: string; to: string },
): Promise<SlidingWindow[]> => {
  const by = { secrets, purpose: "recipient" } as const;
  const textOf = (of: string) => `mails\n${of}\n${mailboxOf(to)}`;
  return Promise.all([
    mailLimits.ofIssuer.signed(by, textOf(issuer), []),
    mailLimits.ofAll.signed(by, textOf("all"), []),
  ]);
};
