import { inDays, inHours, inMinutes } from "../../base/time.ts";
import { OUTCOME_LIFETIME_MS } from "../../platform/jobs/mod.ts";
import { ALWAYS, defineTable, expires, untilUsed, WITH_RECORD } from "../../platform/kv/mod.ts";
import { CONTACT_FIELDS, privacyLabelOf } from "./fields.ts";
import {
  CHALLENGE_REMEMBERED_MS,
  CONFIRMATION_LIFETIME_MS,
  CONFIRMATION_REMEMBERED_MS,
  IDEMPOTENCY_LIFETIME_MS,
} from "./store.ts";
import type { ContactConfig } from "./variables.ts";

const LINK_STORED = inDays(CONFIRMATION_LIFETIME_MS + CONFIRMATION_REMEMBERED_MS);
const LINK_WORKS = inDays(CONFIRMATION_LIFETIME_MS);

const RECORD = {
  section: "enquiry",
  label: "Your record",
  text: `What you entered (${CONTACT_FIELDS.map(privacyLabelOf).join(", ")}), the organisation ` +
    "that you wrote to, the site that " +
    "you wrote from, a random salt, and when you sent the enquiry and confirmed the address. " +
    "We keep it until you ask us to delete it.",
} as const;

const LINK = {
  section: "enquiry",
  label: "Confirmation link",
  text: "A fingerprint (SHA-256) of the link that we mail you, and the record it is for, for " +
    `${LINK_STORED}. The link itself is only in your mail, and works for ` +
    `${LINK_WORKS}. Until you use it, we also store a keyed fingerprint of your ` +
    "email address with the record, so that you can ask for a new link.",
} as const;

const MAIL = {
  section: "enquiry",
  label: "Mail to you and our team",
  text: "The mail with your link, and the mail with what you entered, encrypted, until they " +
    `are sent, for at most ${LINK_WORKS}. If a mail cannot be sent, we also keep ` +
    "the reason, for the same time; if the mail server has rejected it, only the reason. For " +
    `${inDays(OUTCOME_LIFETIME_MS)}, our administrators see on your record's page what kind of ` +
    "mail was sent, when, and whether the mail server accepted it.",
} as const;

const DECLARATION = {
  section: "record",
  label: "Declaration",
  text: "Every version of your declaration, with its time. We keep them with the record.",
} as const;

export const contactTables = [
  defineTable({
    prefix: "contacts",
    otherIndexes: ["contacts_by_time"],
    owner: "record",
    lifetime: WITH_RECORD,
    per: "registration",
    privacy: [RECORD, DECLARATION],
  }),
  defineTable({
    prefix: "contacts_by_email",
    owner: "record",
    lifetime: WITH_RECORD,
    per: "confirmed address",
    privacy: { section: "record", label: "Signing in" },
  }),
  defineTable({
    prefix: "contacts_by_mobile",
    owner: "record",
    lifetime: WITH_RECORD,
    per: "confirmed number",
    privacy: [
      { section: "record", label: "Signing in" },
      { section: "codes", label: "Confirmed numbers" },
    ],
  }),
  defineTable({
    prefix: "contacts_by_unconfirmed_email",
    owner: "record",
    lifetime: untilUsed("until the address is confirmed, or the record is deleted"),
    per: "registration",
    privacy: LINK,
  }),
  defineTable({
    prefix: "contact_confirmations",
    owner: "record",
    lifetime: expires(LINK_STORED),
    per: "registration, and new link",
    privacy: [LINK, MAIL],
  }),
  defineTable({
    prefix: "record_counts",
    owner: "organisation",
    lifetime: ALWAYS,
    per: "day, type and site of registrations, and level",
    privacy: {
      section: "enquiry",
      label: "Counts",
      text: "The number of enquiries per day, type and site, and the number of records at each " +
        "level. They contain no names, addresses or hashes. If your record is deleted, it is no " +
        "longer counted.",
    },
  }),
  defineTable({
    prefix: "contact_requests",
    owner: "nobody",
    lifetime: expires(inHours(IDEMPOTENCY_LIFETIME_MS)),
    per: "registration",
    privacy: {
      section: "enquiry",
      label: "Repeated submissions",
      text: "A fingerprint of a random number that the form generates each time it is opened, " +
        `and the record registered with it, for ${inHours(IDEMPOTENCY_LIFETIME_MS)}, so that an ` +
        "enquiry that is sent twice is registered only once.",
    },
  }),
  defineTable({
    prefix: "contact_limits",
    owner: "nobody",
    lifetime: expires("1 hour"),
    per: "network or address that is limited",
    privacy: {
      section: "enquiry",
      label: "Limits",
      text: "The number of enquiries from a network address, with a fingerprint of that address, " +
        "for an hour. The number of confirmation links sent to an email address, with a keyed " +
        "fingerprint of that address, for an hour.",
    },
  }),
  defineTable({
    prefix: "contact_challenges",
    owner: "nobody",
    lifetime: expires(inMinutes(CHALLENGE_REMEMBERED_MS)),
    per: "bot check",
    privacy: {
      section: "enquiry",
      label: "Bot check",
      text: "A fingerprint of the result that the check gave to your browser, for " +
        `${inMinutes(CHALLENGE_REMEMBERED_MS)}, so that it can be used only once.`,
      if: ({ contact }: { contact: ContactConfig }) => contact.challenge !== undefined,
    },
  }),
];
