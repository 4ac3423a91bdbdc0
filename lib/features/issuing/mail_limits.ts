import { mailboxOf } from "../../base/email.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS } from "../../base/time.ts";
import {
  defineTable,
  expires,
  signedKeys,
  type SlidingWindow,
  windowLog,
} from "../../platform/kv/mod.ts";

/** How many mails a mailbox gets in a day about the documents of one issuer, at all of its addresses. */
export const MAILS_OF_ISSUER = 10;

/** How many mails a mailbox gets in a day about the documents of all issuers. */
export const MAILS_OF_ALL = 30;

export const mailLimits = defineTable({
  prefix: "recipient_mail_limits",
  value: windowLog,
  owner: "nobody",
  lifetime: expires("1 day"),
  per: "mailbox of a recipient, for one issuer and all",
  privacy: {
    section: "record",
    label: "Limits",
    text:
      "When we mailed you about documents that organisations issue to you, with keyed fingerprints of " +
      "your mailbox, for a day.",
  },
});

/** Returns the limits of a mail to a recipient. The mail is not sent if one of them is reached. */
export const limitsOf = (
  secrets: Secrets,
  { issuer, to }: { issuer: string; to: string },
): Promise<SlidingWindow[]> =>
  Promise.all(
    [{ of: issuer, limit: MAILS_OF_ISSUER }, { of: "all", limit: MAILS_OF_ALL }].map(
      async ({ of, limit }) => ({
        ...await signedKeys(
          secrets,
          "recipient",
          `mails\n${of}\n${mailboxOf(to)}`,
          (mac) => [mailLimits.prefix, mac],
        ),
        limit,
        windowMs: DAY_MS,
      }),
    ),
  );
