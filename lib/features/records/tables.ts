import { inDays, inMinutes } from "../../base/time.ts";
import { SESSION_LIFETIME_MS, TOKEN_LIFETIME } from "../auth/mod.ts";
import { CONFIRMATION_LIFETIME_MS } from "../contact/mod.ts";
import { defineTable, expires, untilUsed, WITH_RECORD } from "../../platform/kv/mod.ts";
import { ACCESS_LOG_LIFETIME_MS } from "./access_log.ts";
import { recordKeys } from "./keys.ts";
import { LINK_CODE_LIFETIME_MS } from "./link_codes.ts";
import { DELETION_DELAY_MS } from "./notice_mails.tsx";
import { NONCE_LIFETIME_MS, REPEAT_MS } from "./reader_events.ts";
import { RECOVERY_LINK_LIFETIME_MS } from "./recovery.ts";
import { RECORD_LINK_STORED_MS } from "./sign_in.ts";
import { UNDO_LIFETIME_MS } from "./undo.ts";

const LOGGED = inDays(ACCESS_LOG_LIFETIME_MS);
const LINK_STORED = inDays(RECORD_LINK_STORED_MS);
const LINK_CODE = inMinutes(LINK_CODE_LIFETIME_MS);
const SESSION = inDays(SESSION_LIFETIME_MS);
const UNDO = inDays(UNDO_LIFETIME_MS);
const RECOVERY = inDays(RECOVERY_LINK_LIFETIME_MS);
const DELETION = inDays(DELETION_DELAY_MS);

const NETWORK =
  "(the first three of the four numbers of an IPv4 address, or the first 48 bits of " +
  "an IPv6 address)";

const CONNECTING = {
  section: "record",
  label: "Signing in to connect an app",
  text: "With the link: the number of the app's request, encrypted, and the network and browser " +
    "that asked for the link, for the same time. A fingerprint of the browser and the request " +
    "and, if you open the link in another browser, a keyed hash of the code that it shows and " +
    `the records that it opens, for ${LINK_CODE}.`,
} as const;

const NOTICES = {
  section: "record",
  label: "Security notices",
  text: "A fingerprint (SHA-256) of the link in each notice, the record and the event that it " +
    `undoes, for ${UNDO}. The mail itself is stored, encrypted, until it is sent. With the ` +
    "record, we store when the last notices of downloads were mailed, and, until every browser is " +
    "signed out, when that was asked for.",
} as const;

const RECOVERIES = {
  section: "record",
  label: "Recovery",
  text: "If you have lost every way to sign in and an administrator sends a link to a new " +
    "address: the new address, encrypted; the administrator's address; a note on how they " +
    "checked who you are; and a fingerprint of the link. We keep them until you use the link " +
    `or stop the recovery, or until the link expires after ${RECOVERY}.`,
} as const;

const REPEATED_CHECKS = {
  section: "check",
  label: "Repeated checks",
  text: "A keyed fingerprint of the day, your network and the record or document, for " +
    `${inMinutes(REPEAT_MS)}, so that repeated checks are only counted. The number of checks of ` +
    "each record per day.",
} as const;

/** The record, and what its level and its signing in depend on. */
const RECORDS = [
  defineTable({
    prefix: "records",
    owner: "record",
    lifetime: WITH_RECORD,
    per: "registration",
    privacy: [{
      section: "record",
      label: "Level",
      text: "The level of your record, when it reached each level, and whether another record " +
        "replaces it. We keep it with the record.",
    }, {
      section: "record",
      label: "Identity check",
      text: "If an administrator has checked your identity: when, the administrator's address, " +
        "and a note on how. If the check is revoked: when, by whom, and why. We keep no copies " +
        "of your identity documents.",
    }, NOTICES],
  }),
  recordKeys,
  defineTable({
    prefix: "record_key_times",
    key: ["record"],
    owner: { record: "record" },
    lifetime: expires("1 day"),
    per: "record with a new key",
    privacy: { section: "record", label: "Limits" },
  }),
  defineTable({
    prefix: "record_correction_times",
    key: ["record"],
    owner: { record: "record" },
    lifetime: expires("1 day"),
    per: "corrected record",
    privacy: { section: "record", label: "Limits" },
  }),
];

const SIGNING_IN = [
  defineTable({
    prefix: "record_links",
    owner: "nobody",
    lifetime: expires(LINK_STORED),
    per: "link to a record",
    privacy: [{
      section: "record",
      label: "Signing in",
      text: "Keyed fingerprints of your confirmed email address and mobile number, to find your " +
        "record when you sign in. A fingerprint (SHA-256) of each link, the records that it opens " +
        `and a random number of the browser that asked for it, for ${LINK_STORED}. The link ` +
        `works once, within ${TOKEN_LIFETIME}. Your request for a link, with the address, encrypted, ` +
        `until the mail is ready: usually less than a second, at most ${TOKEN_LIFETIME}.`,
    }, CONNECTING],
  }),
  defineTable({
    prefix: "record_link_codes",
    owner: "nobody",
    lifetime: expires(LINK_CODE),
    per: "link opened in another browser",
    privacy: CONNECTING,
  }),
  defineTable({
    prefix: "record_link_limits",
    owner: "nobody",
    lifetime: expires("1 hour"),
    per: "network, address or browser that asks for links",
    privacy: {
      section: "record",
      label: "Limits",
      text: "The number of links requested, with a keyed fingerprint of your email address, and " +
        "fingerprints of the network address and, if you have signed in with it before, the " +
        "browser, for an hour. The times of your latest keys and corrections, for a day.",
    },
  }),
  defineTable({
    prefix: "record_sessions",
    otherIndexes: ["record_sessions_by_record"],
    owner: "record",
    lifetime: expires(SESSION),
    per: "browser that is signed in to a record",
    privacy: {
      section: "record",
      label: "Sessions",
      text: "For each browser in which you are signed in: the records that you may open, how you " +
        "signed in, your network and the name of your browser, with a fingerprint of its cookie, " +
        `for ${SESSION} or until you sign out.`,
    },
  }),
  defineTable({
    prefix: "record_sign_outs",
    key: ["record"],
    owner: { record: "record" },
    lifetime: untilUsed("until every session has ended, normally at once", "sign-outs"),
    per: "sign-out of every browser",
    privacy: NOTICES,
  }),
];

const READING = [
  defineTable({
    prefix: "access_log",
    key: ["record", "at", "id"],
    owner: { record: "record" },
    lifetime: expires(LOGGED),
    per: "action of a reader or holder",
    privacy: [{
      section: "record",
      label: "Access log",
      text: "Each sign-in, change and check of your record, with the time, the network " +
        `${NETWORK} and the name of the browser, for ${LOGGED}. You and administrators ` +
        "can see it.",
    }, {
      section: "check",
      label: "Access log",
      text: "If you check the key on a card and your browser verifies the chain, or if you check " +
        `a file that matches a registered document: the time, your network ${NETWORK} and the ` +
        `name of your browser, for ${LOGGED}. The record's holder and administrators ` +
        "can see them. The chain, which is public, contains only the time.",
    }, {
      section: "open_document",
      label: "Access log",
      text: "If you were granted access, each view, download and print with the page's button: " +
        `the time, your network ${NETWORK}, the name of your browser and the grant, for ` +
        `${LOGGED}. The record's holder and administrators can see them. The chain, ` +
        "which is public, contains only the time.",
    }],
  }),
  defineTable({
    prefix: "reader_visits",
    key: ["record", "reader"],
    owner: { record: "record" },
    lifetime: expires(inMinutes(REPEAT_MS)),
    per: "reader of a record",
    privacy: REPEATED_CHECKS,
  }),
  defineTable({
    prefix: "reader_counts",
    key: ["record", "day", "kind"],
    owner: { record: "record" },
    lifetime: expires("2 days"),
    per: "record, day and kind of event",
    privacy: REPEATED_CHECKS,
  }),
  defineTable({
    prefix: "reader_nonces",
    owner: "nobody",
    lifetime: expires(inMinutes(NONCE_LIFETIME_MS)),
    per: "look-up on a page",
    privacy: {
      section: "check",
      label: "Limits",
      text: "The number of checks from your network address, only in memory, for a minute. A " +
        "fingerprint of a random number with which your browser can report one match, for " +
        `${inMinutes(NONCE_LIFETIME_MS)}.`,
    },
  }),
];

/** The tables of changes to records, of deletions and of undos. */
const CHANGES = [
  defineTable({
    prefix: "record_undos",
    key: ["token"],
    indexes: { record_undos_by_record: ["hash"] },
    owner: { record: "hash" },
    lifetime: expires(UNDO),
    per: "security notice",
    privacy: NOTICES,
  }),
  defineTable({
    prefix: "record_recoveries",
    owner: "record",
    lifetime: { ...expires(`${RECOVERY} after the link was sent`), job: "recoveries" },
    per: "recovery",
    privacy: RECOVERIES,
  }),
  defineTable({
    prefix: "record_recovery_links",
    owner: "record",
    lifetime: { ...expires(`${RECOVERY} after the link was sent`), job: "recoveries" },
    per: "recovery",
    privacy: RECOVERIES,
  }),
  defineTable({
    prefix: "record_corrections",
    owner: "record",
    lifetime: untilUsed("until the correction has taken effect or was withdrawn", "corrections"),
    per: "correction",
    privacy: {
      section: "record",
      label: "Corrections",
      text:
        "A correction is a new record. We keep the earlier one, so that you can still prove what " +
        "it said, and delete both together. A correction that is not confirmed is deleted after " +
        `${inDays(CONFIRMATION_LIFETIME_MS)}.`,
    },
  }),
  defineTable({
    prefix: "record_deletions",
    owner: "record",
    lifetime: untilUsed(DELETION, "deletions"),
    per: "requested deletion",
    privacy: {
      section: "record",
      label: "Deletion",
      text: "When you delete your record, it is closed at once and deleted after " +
        `${DELETION}. Until then you can cancel the deletion, in case it was someone ` +
        "else who requested it, or complete it with the link in our mail. Of the request, we store " +
        "its time.",
    },
  }),
];

export const recordTables = [...RECORDS, ...SIGNING_IN, ...READING, ...CHANGES];
