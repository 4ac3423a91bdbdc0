/** The links that confirm an address, as they are stored. */
import { z } from "zod";
import { createSingleUseTokens, defineTable, expires, TOKEN } from "../../platform/kv/mod.ts";
import { OUTCOME_LIFETIME_MS } from "../../platform/jobs/mod.ts";
import { DAY_MS, inDays } from "../../base/time.ts";

/** How long a link works. Some people read their mail late, and a late confirmation does no harm. */
export const CONFIRMATION_LIFETIME_MS = 7 * DAY_MS;

/** How long an expired link is kept, to report "expired" instead of "unknown". */
export const CONFIRMATION_REMEMBERED_MS = 30 * DAY_MS;

/** The links that confirm an email address, each for one record. */
export const confirmations = createSingleUseTokens<{ hash: string }>({
  prefix: "contact_confirmations",
  lifetimeMs: CONFIRMATION_LIFETIME_MS,
  rememberedMs: CONFIRMATION_REMEMBERED_MS,
});

const STORED = inDays(CONFIRMATION_LIFETIME_MS + CONFIRMATION_REMEMBERED_MS);
const WORKS = inDays(CONFIRMATION_LIFETIME_MS);

export const confirmationTable = defineTable({
  prefix: "contact_confirmations",
  value: z.strictObject({
    hash: z.string(),
    ...TOKEN,
    // Absent in rows from before they were stored.
    token: TOKEN.token.optional(),
    used: TOKEN.used.optional(),
  }),
  owner: "record",
  lifetime: expires(STORED),
  per: "registration, and new link",
  privacy: [
    {
      section: "enquiry",
      label: "Confirmation link",
      text:
        "A fingerprint (SHA-256) of the link that we email you, and the record it is for, for " +
        `${STORED}. The link itself is only in your email, and works for ${WORKS}. Until you use ` +
        "it, we also store a keyed fingerprint of your email address with the record, so that " +
        "you can ask for a new link.",
    },
    {
      section: "enquiry",
      label: "Mail to you",
      text: "The email with your link, and our replies, encrypted, until they are sent, for at " +
        `most ${WORKS}. If an email cannot be sent, we also keep the reason, for ` +
        "the same time; if the mail server has rejected it, only the reason. For " +
        `${inDays(OUTCOME_LIFETIME_MS)}, our administrators see on your record's page what kind ` +
        "of email was sent, when, and whether the mail server accepted it.",
    },
  ],
});
