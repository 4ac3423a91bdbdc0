import { TOKEN_LIFETIME } from "../auth/mod.ts";
import type { PageSettings } from "./context.ts";
import { CONTACT_FIELDS, privacyLabelOf } from "../contact/mod.ts";
import {
  MAX_RECENTS,
  MAX_SAVED_QUALIFICATIONS,
  MAX_SAVED_SEARCHES,
} from "../qualifications/mod.ts";
import { LASTS } from "./lifetimes.ts";

/** The text of the privacy page about one kind of data. */
export interface StoredItem {
  label: string;
  /** Markdown. */
  text: string;
  /** The first parts of the keys that store it. A test site rejects writes of keys with any other. */
  prefixes: readonly string[];
  /** Returns whether this deployment stores it. Default: it does. */
  if?: (config: PageSettings) => boolean;
}

export interface StoredSection {
  heading: string;
  items: readonly StoredItem[];
  if?: (config: PageSettings) => boolean;
}

const FIELD_NOUNS = CONTACT_FIELDS.map(privacyLabelOf).join(", ");

const NETWORK =
  "(the first three of the four numbers of an IPv4 address, or the first 48 bits of " +
  "an IPv6 address)";

const SIGN_IN: StoredSection = {
  heading: "What is stored when you sign in",
  items: [
    {
      label: "Your account",
      text: "Your email address, an account number, when the account was created and when you " +
        "last signed in. The account is created when a sign-in link is first requested. We keep " +
        "it until you ask us to delete it. If nobody signs in to it, we delete it after " +
        `${LASTS.unusedAccount}.`,
      prefixes: ["users", "users_by_email", "users_last_id"],
    },
    {
      label: "What you save",
      text: `On the qualification site: up to ${MAX_SAVED_QUALIFICATIONS} qualifications and ` +
        `${MAX_SAVED_SEARCHES} searches that you save, with the time, until you remove them or ` +
        `the account is deleted; and the last ${MAX_RECENTS} qualifications that you opened ` +
        `while signed in, for ${LASTS.recent} or until you clear the list. You can download ` +
        "all of it from your account.",
      prefixes: ["user_data"],
    },
    {
      label: "Requests for a sign-in link",
      text:
        "Your email address, the page you were going to and the cookie that marks your browser, " +
        "encrypted, with a keyed fingerprint of the address, until the mail is ready: usually less than a " +
        `second, at most ${TOKEN_LIFETIME}.`,
      prefixes: ["link_requests"],
    },
    {
      label: "Sign-in links",
      text: "A fingerprint (SHA-256) of each link, the account it is for, and the page it leads " +
        `to, for ${TOKEN_LIFETIME}. The link itself is only in your mail, and works once.`,
      prefixes: ["magic_tokens", "magic_tokens_by_user", "magic_tokens_last_id"],
    },
    {
      label: "Mail to you",
      text: "The mail with your link, encrypted, until it is sent, for at most " +
        `${TOKEN_LIFETIME}. If it cannot be sent, we also keep the reason, for the same time; if ` +
        "the mail server has rejected it, only the reason.",
      prefixes: ["outbox", "outbox_dead"],
    },
    {
      label: "Sessions",
      text: "For each browser in which you are signed in, your email address and account number, " +
        `with a fingerprint of the browser's cookie, for ${LASTS.session} or until you sign out.`,
      prefixes: ["sessions"],
    },
    {
      label: "Limits",
      text: "The number of links requested, with a keyed fingerprint of the email address, and " +
        "fingerprints of the network address and, if you have signed in with it before, the browser, for " +
        `${LASTS.linksCounted}.`,
      prefixes: ["sign_in_limits"],
    },
  ],
};

const ENQUIRY: StoredSection = {
  heading: "What is stored when you send an enquiry",
  items: [
    {
      label: "Your record",
      text:
        `What you entered (${FIELD_NOUNS}), the organisation that you wrote to, the site that ` +
        "you wrote from, a random salt, and when you sent the enquiry and confirmed the address. " +
        "We keep it until you ask us to delete it.",
      prefixes: ["contacts", "contacts_by_time"],
    },
    {
      label: "Counts",
      text: "The number of enquiries per day, type and site, and the number of records at each " +
        "level. They contain no names, addresses or hashes. If your record is deleted, it is no " +
        "longer counted.",
      prefixes: ["record_counts"],
    },
    {
      label: "Its chain",
      text: "The record's hash and the events of the record, with their times and our signature. " +
        "Anyone who has the hash can read the chain for as long as we publish records. It " +
        "contains no personal data: because the hash includes the salt, nobody can use it to " +
        "test a guess about you.",
      prefixes: ["chains", "chain_events"],
    },
    {
      label: "Confirmation link",
      text: "A fingerprint (SHA-256) of the link that we mail you, and the record it is for, for " +
        `${LASTS.confirmationStored}. The link itself is only in your mail, and works for ` +
        `${LASTS.confirmationWorks}. Until you use it, we also store a keyed fingerprint of your ` +
        "email address with the record, so that you can ask for a new link.",
      prefixes: ["contact_confirmations", "contacts_by_unconfirmed_email"],
    },
    {
      label: "Mail to you and our team",
      text: "The mail with your link, and the mail with what you entered, encrypted, until they " +
        `are sent, for at most ${LASTS.confirmationWorks}. If a mail cannot be sent, we also keep ` +
        "the reason, for the same time; if the mail server has rejected it, only the reason. For " +
        `${LASTS.outcome}, our administrators see on your record's page what kind of mail was ` +
        "sent, when, and whether the mail server accepted it.",
      prefixes: ["outbox", "outbox_dead", "outbox_outcomes"],
    },
    {
      label: "Repeated submissions",
      text: "A fingerprint of a random number that the form generates each time it is opened, " +
        `and the record registered with it, for ${LASTS.submission}, so that an enquiry that is ` +
        "sent twice is registered only once.",
      prefixes: ["contact_requests"],
    },
    {
      label: "Limits",
      text: "The number of enquiries from a network address, with a fingerprint of that address, " +
        "for an hour. The number of confirmation links sent to an email address, with a keyed " +
        "fingerprint of that address, for an hour.",
      prefixes: ["contact_limits"],
    },
    {
      label: "Bot check",
      text: "A fingerprint of the result that the check gave to your browser, for " +
        `${LASTS.botCheck}, so that it can be used only once.`,
      prefixes: ["contact_challenges"],
      if: ({ contact }) => contact.challenge !== undefined,
    },
  ],
};

const RECORD: StoredSection = {
  heading: "What is stored when you use your record",
  items: [
    {
      label: "Signing in",
      text: "Keyed fingerprints of your confirmed email address and mobile number, to find your " +
        "record when you sign in. A fingerprint (SHA-256) of each link, the records that it opens " +
        `and a random number of the browser that asked for it, for ${LASTS.recordLink}. The link ` +
        `works once, within ${TOKEN_LIFETIME}. Your request for a link, with the address, encrypted, ` +
        `until the mail is ready: usually less than a second, at most ${TOKEN_LIFETIME}.`,
      prefixes: ["contacts_by_email", "contacts_by_mobile", "record_links", "link_requests"],
    },
    {
      label: "Signing in to connect an app",
      text:
        "With the link: the number of the app's request, encrypted, and the network and browser " +
        "that asked for the link, for the same time. A fingerprint of the browser and the request " +
        "and, if you open the link in another browser, a keyed hash of the code that it shows and " +
        `the records that it opens, for ${LASTS.linkCode}.`,
      prefixes: ["record_links", "record_link_codes"],
    },
    {
      label: "Sessions",
      text: "For each browser in which you are signed in: the records that you may open, how you " +
        "signed in, your network and the name of your browser, with a fingerprint of its cookie, " +
        `for ${LASTS.session} or until you sign out.`,
      prefixes: ["record_sessions", "record_sessions_by_record"],
    },
    {
      label: "Access log",
      text: "Each sign-in, change and check of your record, with the time, the network " +
        `${NETWORK} and the name of the browser, for ${LASTS.accessLog}. You and administrators ` +
        "can see it.",
      prefixes: ["access_log"],
    },
    {
      label: "Limits",
      text: "The number of links requested, with a keyed fingerprint of your email address, and " +
        "fingerprints of the network address and, if you have signed in with it before, the " +
        "browser, for an hour. The times of your latest keys and corrections, for a day.",
      prefixes: [
        "record_link_limits",
        "sign_in_limits",
        "record_key_times",
        "record_correction_times",
      ],
    },
    {
      label: "Level",
      text: "The level of your record, when it reached each level, and whether another record " +
        "replaces it. We keep it with the record.",
      prefixes: ["records"],
    },
    {
      label: "Declaration",
      text: "Every version of your declaration, with its time. We keep them with the record.",
      prefixes: ["contacts"],
    },
    {
      label: "Your key",
      text: "A fingerprint (SHA-256) of each key of your record, and when it was created, " +
        "replaced or revoked. The key itself is only on your card. Anyone who has it can see the " +
        "record's hash, chain and level, but nothing about you.",
      prefixes: ["record_keys", "record_keys_by_contact"],
    },
    {
      label: "Passkeys",
      text:
        "For each passkey: its public key and id, the name that you gave it, what stores it (such " +
        "as a password manager) and how it connects, whether it is synced, when it was added and " +
        "last used, how often it was used if it counts that, and a random number that identifies " +
        "the record to your password manager. Your fingerprint, face and PIN never leave your " +
        "device. We keep these until you remove the passkey.",
      prefixes: ["passkey_credentials", "passkey_credentials_by_contact"],
    },
    {
      label: "Requests for passkeys",
      text: "When you add or use a passkey: a fingerprint of the request and of your session or " +
        `browser, for ${LASTS.passkeyRequest}. The number of requests, with a fingerprint of the ` +
        `network address for ${LASTS.passkeysCounted}, or with the record for an hour.`,
      prefixes: ["passkey_challenges", "passkey_limits"],
    },
    {
      label: "Notifications",
      text:
        "If you turn on notifications, for each phone and browser: the address at which its push " +
        "service reaches it, encrypted, with a fingerprint (SHA-256); what kind of device it is; " +
        "when you added it, with which connected app, when it was last seen and whether sending to " +
        "it failed. We delete it when you remove it, when you disconnect that app, when you sign " +
        `out of it, and ${LASTS.deviceUnseen} after it was last ` +
        "seen. Also the kinds of events and the quiet hours that you choose, the times of your " +
        "latest tests for an hour, and each notification, encrypted, until it is sent, for at most " +
        `${LASTS.push}. A notification contains a general text and the number and hash of the ` +
        "event, and nothing about you. It passes through the push service of the device: Apple, " +
        "Google, Mozilla or Microsoft.",
      prefixes: [
        "device_tokens",
        "device_tokens_by_contact",
        "push_subscriptions",
        "push_subscriptions_by_contact",
        "push_settings",
        "push_test_times",
        "outbox",
        "outbox_dead",
      ],
    },
    {
      label: "Security notices",
      text:
        "A fingerprint (SHA-256) of the link in each notice, the record and the event that it " +
        `undoes, for ${LASTS.undo}. The mail itself is stored, encrypted, until it is sent. With the ` +
        "record, we store when the last notices of downloads were mailed, and, until every browser is " +
        "signed out, when that was asked for.",
      prefixes: [
        "record_undos",
        "record_undos_by_record",
        "record_sign_outs",
        "records",
        "outbox",
        "outbox_dead",
      ],
    },
    {
      label: "Identity check",
      text: "If an administrator has checked your identity: when, the administrator's address, " +
        "and a note on how. If the check is revoked: when, by whom, and why. We keep no copies " +
        "of your identity documents.",
      prefixes: ["records"],
    },
    {
      label: "Recovery",
      text: "If you have lost every way to sign in and an administrator sends a link to a new " +
        "address: the new address, encrypted; the administrator's address; a note on how they " +
        "checked who you are; and a fingerprint of the link. We keep them until you use the link " +
        `or stop the recovery, or until the link expires after ${LASTS.recovery}.`,
      prefixes: ["record_recoveries", "record_recovery_links"],
    },
    {
      label: "Documents",
      text: "The documents that administrators add to your record: every version of the file, " +
        "its name and hash, its title and kind, when and by which administrator it was added, and " +
        "the reason if it was withdrawn. We keep them with the record. Interrupted uploads are " +
        `removed within ${LASTS.upload}.`,
      prefixes: [
        "documents",
        "documents_by_contact",
        "documents_by_hash",
        "document_bytes",
        "document_uploads",
      ],
    },
    {
      label: "Corrections",
      text:
        "A correction is a new record. We keep the earlier one, so that you can still prove what " +
        "it said, and delete both together. A correction that is not confirmed is deleted after " +
        `${LASTS.confirmationWorks}.`,
      prefixes: ["record_corrections"],
    },
    {
      label: "Deletion",
      text: "When you delete your record, it is closed at once and deleted after " +
        `${LASTS.deletionWaits}. Until then you can cancel the deletion, in case it was someone ` +
        "else who requested it, or complete it with the link in our mail. Of the request, we store " +
        "its time.",
      prefixes: ["record_deletions"],
    },
  ],
};

const READERS: StoredSection = {
  heading: "What is stored when you check a record or a document",
  items: [
    {
      label: "Access log",
      text: "If you check the key on a card and your browser verifies the chain, or if you check " +
        `a file that matches a registered document: the time, your network ${NETWORK} and the ` +
        `name of your browser, for ${LASTS.accessLog}. The record's holder and administrators ` +
        "can see them. The chain, which is public, contains only the time.",
      prefixes: ["access_log"],
    },
    {
      label: "Repeated checks",
      text: "A keyed fingerprint of the day, your network and the record or document, for " +
        `${LASTS.repeats}, so that repeated checks are only counted. The number of checks of each ` +
        "record per day.",
      prefixes: ["reader_visits", "reader_counts"],
    },
    {
      label: "The file",
      text: "The file and its name stay in your browser. It sends the file's hash (SHA-256) and, " +
        "if it matches, a second hash, which proves that your browser has the file. We store " +
        "neither. If the file matches no document, or if you only paste a hash, we store nothing.",
      prefixes: [],
    },
    {
      label: "Limits",
      text: "The number of checks from your network address, only in memory, for a minute. A " +
        "fingerprint of a random number with which your browser can report one match, for " +
        `${LASTS.nonce}.`,
      prefixes: ["reader_nonces"],
    },
  ],
};

const DOCUMENT_READERS: StoredSection = {
  heading: "What is stored when you open a document",
  items: [
    {
      label: "The public page",
      text: "If you see only the public page, which shows who issued the document, we store " +
        "nothing. The number of documents opened from your network address is kept in memory for " +
        "a minute.",
      prefixes: [],
    },
    {
      label: "Access log",
      text: "If you were granted access, each view, download and print with the page's button: " +
        `the time, your network ${NETWORK}, the name of your browser and the grant, for ` +
        `${LASTS.accessLog}. The record's holder and administrators can see them. The chain, ` +
        "which is public, contains only the time.",
      prefixes: ["access_log"],
    },
    {
      label: "Downloads and views",
      text: "For each download, a random number that your browser gets with the file, the number " +
        "of the grant, and which parts of the file were sent when the download was resumed. For " +
        "each view, a random number that your browser gets with the page, and when the page " +
        `loaded the file. We keep them for ${LASTS.resume}.`,
      prefixes: ["document_downloads"],
    },
  ],
};

const DOCUMENT_ACCESS: StoredSection = {
  heading: "What is stored when you ask for access to a document",
  items: [
    {
      label: "Your request",
      text: "Your name, email address and reason, the document, the times of your request and " +
        "confirmation, the decision (by whom, when and why), and a keyed fingerprint of the " +
        "address and the document. The record's holder and administrators can see the request " +
        `once you have confirmed the address. We keep it for ${LASTS.request} after the request ` +
        "was refused, after it expired because nobody decided within " +
        `${LASTS.requestWaits}, or after the access ended. We delete it earlier if the record is ` +
        "deleted. A request that you do not confirm is deleted after " +
        `${LASTS.requestUnconfirmed}, or if many other people ask for the document, after an hour ` +
        "or more; to choose it fairly, we keep a keyed fingerprint of the network for as long. An " +
        "alert in the console refers to the request by its number for the same time.",
      prefixes: [
        "access_requests",
        "access_requests_by_record",
        "access_requests_by_document",
        "access_unconfirmed",
      ],
    },
    {
      label: "Links and access",
      text: "A fingerprint (SHA-256) of each link that we mail you, and of the cookie of the " +
        `browser that has access, for at most ${LASTS.grant} and a day.`,
      prefixes: ["access_links", "access_grants"],
    },
    {
      label: "Limits",
      text: "The times of requests, with fingerprints of the network address and the document, " +
        "and a keyed fingerprint of the email address, for an hour or a day.",
      prefixes: ["access_limits"],
    },
  ],
};

const CODES: StoredSection = {
  heading: "What is stored when we send you a code",
  if: ({ codes }) => codes.provider !== undefined,
  items: [
    {
      label: "Codes",
      text: "A keyed hash of the code, the number (encrypted), the provider's id of the message, " +
        `and a hash of your browser's cookie, for ${LASTS.code}, even if the record is deleted in ` +
        "the meantime.",
      prefixes: ["otp_codes", "otp_codes_by_contact", "otp_codes_by_browser"],
    },
    {
      label: "Limits",
      text: "The times of your requests: with a hash of your network address for an hour, and " +
        "with keyed hashes of the number, of its first digits and, if you confirm a number, of your " +
        "record for a day.",
      prefixes: ["code_limits"],
    },
    {
      label: "Confirmed numbers",
      text: "A keyed hash of the number with the record that it opens, until the record is " +
        "deleted or the number is no longer confirmed.",
      prefixes: ["record_numbers", "contacts_by_mobile"],
    },
    {
      label: "Delivery",
      text: "Whether a message was delivered, with the provider's id of the message but without " +
        `your number, for ${LASTS.delivery}.`,
      prefixes: ["code_deliveries"],
    },
    {
      label: "Calls",
      text: `What the call says after you press a key, encrypted, for ${LASTS.call}.`,
      prefixes: ["code_calls"],
    },
  ],
};

const AGENTS: StoredSection = {
  heading: "What is stored when you connect an app",
  items: [
    {
      label: "Apps",
      text:
        "The name of an app that registers with us and the addresses to which it returns you, " +
        `for ${LASTS.appUnused}, or for ${LASTS.app} after it last used a connection. This says ` +
        "nothing about you.",
      prefixes: ["oauth_clients"],
    },
    {
      label: "Limits",
      text: "The number of registrations of apps from a network address, with a fingerprint of " +
        "that address, for an hour.",
      prefixes: ["oauth_limits"],
    },
    {
      label: "Your decision",
      text: "While you decide whether to connect an app: what it asks for, with fingerprints " +
        "(SHA-256) of the request and of a cookie of your browser, for " +
        `${LASTS.authorizationRequest}. Your decision, with the record that you chose, for ` +
        `${LASTS.handoff}.`,
      prefixes: ["oauth_requests", "oauth_handoffs"],
    },
    {
      label: "Connections",
      text: "For each app that you connect: its name, where it returned you, what it may do, the " +
        "record that you chose, when you connected it and when it was last used. We keep them " +
        "until you disconnect the app, sign out everywhere, correct or delete the record, or the " +
        "connection ends because it is no longer used. The " +
        "app's codes and tokens are stored only as fingerprints (SHA-256).",
      prefixes: ["oauth_codes", "oauth_grants", "oauth_grants_by_record", "oauth_tokens"],
    },
  ],
};

const PAYMENTS: StoredSection = {
  heading: "What is stored when you pay",
  items: [
    {
      label: "Payments",
      text: "The details that our payment provider reports: the amount and currency, the date, " +
        "the state and refunds, the provider’s id of the payment, its description, and the hash " +
        "of the record if the payment names one. We do not receive your card number. We keep " +
        `payments for ${LASTS.payment}, for our accounts. If you delete the record, we remove the ` +
        "description and the hash.",
      prefixes: ["payments", "payments_by_id", "payments_by_record"],
    },
    {
      label: "Reports",
      text: "A fingerprint (SHA-256) of the id of each report, for " +
        `${LASTS.paymentReport}, so that no report takes effect twice.`,
      prefixes: ["payment_events"],
    },
  ],
};

const OPERATORS: StoredSection = {
  heading: "What is stored when you work in one of our consoles",
  items: [
    {
      label: "Audit log",
      text: "For administrators and board members: your email address with the time of each " +
        "sign-in to a console, and of each change that you make there, such as an identity check, " +
        "a new document, a decision on a request, a refresh of our bank’s figures or the deletion " +
        "of an account. An entry names the record, document, request or account by its number, " +
        `without names or addresses. We keep it for ${LASTS.auditLog}, and only administrators of ` +
        "the same organisation can see it.",
      prefixes: ["audit"],
    },
    {
      label: "Alerts",
      text:
        "Alerts about requests for access, mail and notifications that could not be delivered, " +
        "failed payments, our bank and invalid chains. An alert names the record, document, " +
        "request, payment or account by its number, without names or addresses. If you mark an " +
        "alert as read or done, or reopen it, or if you decide on its request, it shows your " +
        "email address and the time to the other administrators of your organisation. We keep an " +
        `alert for ${LASTS.alert} after its problem was last reported, and what it says about a ` +
        "record only until the record is deleted.",
      prefixes: ["alerts", "alerts_unread", "alerts_open", "alerts_by_record"],
    },
  ],
};

/** The data about people that is stored, as the privacy page describes it. */
export const STORED_SECTIONS: readonly StoredSection[] = [
  SIGN_IN,
  ENQUIRY,
  RECORD,
  DOCUMENT_READERS,
  READERS,
  DOCUMENT_ACCESS,
  CODES,
  AGENTS,
  PAYMENTS,
  OPERATORS,
];

/** Data that is not about people. */
export const STORED_FOR_OPERATION: StoredItem = {
  label: "Operation",
  text:
    "Our own keys, the state of background work, totals such as the number of accounts or of codes " +
    "sent to a country, our own bank's figures, and the published versions of pages such as this " +
    "one. None of it is about you.",
  prefixes: [
    "app_secret",
    "bank_cache",
    "bank_outages",
    "bank_daily",
    "code_days",
    "chain_keys",
    "chain_keys_withdrawn",
    "chain_signing_key",
    "format",
    "jobs",
    "pages",
    "pages_by_hash",
    "stats",
    "store",
    "versions",
  ],
};

/** The first parts of all keys that the privacy page covers. */
export const COVERED_PREFIXES: ReadonlySet<string> = new Set(
  [...STORED_SECTIONS.flatMap(({ items }) => items), STORED_FOR_OPERATION]
    .flatMap(({ prefixes }) => prefixes),
);
