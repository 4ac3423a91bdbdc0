import { TOKEN_LIFETIME } from "../auth/mod.ts";
import { LASTS } from "./lifetimes.ts";

/**
 * How rows are removed:
 *
 * - `store`: each row is written with its expiry, and the store deletes it
 * - `record`, `account`: they are deleted with the record or the account
 * - `use`: the feature deletes them, when they have been used or replaced
 * - `nothing`: they stay, and `per` says why they are few
 */
export type Remover = "store" | "record" | "account" | "use" | "nothing";

/** How long the rows below some prefixes are kept. `docs/ops/retention.md` has the same table. */
export interface Retention {
  /** The first parts of the keys. */
  prefixes: readonly string[];
  kept: string;
  removedBy: Remover;
  /** The job that removes what the feature could not. */
  job?: string;
  /** The cause of a new row. */
  per: string;
}

const RECORD = "until the record is deleted";
const ACCOUNT = "until the account is deleted";

export const RETENTION: readonly Retention[] = [
  // Accounts
  ...group("account", `${ACCOUNT}; ${LASTS.unusedAccount} if nobody signs in`, {
    "address that asked for a sign-in link": ["users", "users_by_email"],
  }, "accounts"),
  ...group("account", ACCOUNT, { "account that saved something": ["user_data"] }),
  ...group("store", `until its mail is queued, at most ${TOKEN_LIFETIME}`, {
    "request for a sign-in link": ["link_requests"],
  }),
  ...group("store", TOKEN_LIFETIME, { "sign-in link": ["magic_tokens", "magic_tokens_by_user"] }),
  ...group("store", LASTS.session, {
    "signed-in browser": ["sessions", "record_sessions", "record_sessions_by_record"],
  }),
  ...group("store", `the window of the limit, ${LASTS.passkeysCounted} to 1 day`, {
    "network, address, number, document or record that is limited": [
      "sign_in_limits",
      "contact_limits",
      "code_limits",
      "access_limits",
      "oauth_limits",
      "passkey_limits",
      "record_link_limits",
      "record_key_times",
      "record_correction_times",
      "push_test_times",
    ],
  }),
  // Records
  ...group("record", RECORD, {
    "registration": ["contacts", "contacts_by_time", "records"],
    "confirmed address or number": ["contacts_by_email", "contacts_by_mobile", "record_numbers"],
    "key": ["record_keys", "record_keys_by_contact"],
    "passkey": ["passkey_credentials", "passkey_credentials_by_contact"],
    "document": ["documents", "documents_by_contact", "documents_by_hash"],
    "record that has had devices": ["push_settings"],
  }),
  ...group("use", "until the address is confirmed, or the record is deleted", {
    "registration": ["contacts_by_unconfirmed_email"],
  }),
  ...group("nothing", "as long as records are published", {
    "record, and event of a record": ["chains", "chain_events"],
  }),
  ...group("store", LASTS.accessLog, { "action of a reader or holder": ["access_log"] }),
  ...group("store", LASTS.confirmationStored, {
    "registration, and new link": ["contact_confirmations"],
  }),
  ...group("store", LASTS.submission, { "registration": ["contact_requests"] }),
  ...group("store", LASTS.botCheck, { "bot check": ["contact_challenges"] }),
  ...group("store", LASTS.recordLink, { "link to a record": ["record_links"] }),
  ...group("store", LASTS.linkCode, { "link opened in another browser": ["record_link_codes"] }),
  ...group("store", LASTS.undo, {
    "security notice": ["record_undos", "record_undos_by_record"],
  }),
  ...group("store", `${LASTS.recovery} after the link was sent`, {
    "recovery": ["record_recoveries", "record_recovery_links"],
  }, "recoveries"),
  ...group("use", "until the correction has taken effect or was withdrawn", {
    "correction": ["record_corrections"],
  }, "corrections"),
  ...group("use", "until every session has ended, normally at once", {
    "sign-out of every browser": ["record_sign_outs"],
  }, "sign-outs"),
  ...group("use", LASTS.deletionWaits, { "requested deletion": ["record_deletions"] }, "deletions"),
  ...group("store", LASTS.nonce, { "look-up on a page": ["reader_nonces"] }),
  ...group("store", LASTS.repeats, { "reader of a record": ["reader_visits"] }),
  ...group("store", "2 days", { "record, day and kind of event": ["reader_counts"] }),
  ...group("store", LASTS.passkeyRequest, { "use of a passkey": ["passkey_challenges"] }),
  ...group("use", `${LASTS.deviceUnseen} after it was last seen`, {
    "device": [
      "device_tokens",
      "device_tokens_by_contact",
      "push_subscriptions",
      "push_subscriptions_by_contact",
    ],
  }, "devices"),
  // Documents
  ...group("record", `${RECORD}; without a document, ${LASTS.upload}`, {
    "64 KiB of a document": ["document_bytes"],
  }, "uploads"),
  ...group("use", LASTS.upload, { "upload": ["document_uploads"] }, "uploads"),
  ...group("store", `${LASTS.request} after its end`, {
    "request for access": [
      "access_requests",
      "access_requests_by_record",
      "access_requests_by_document",
    ],
  }),
  ...group("store", LASTS.requestUnconfirmed, {
    "document that was asked for": ["access_unconfirmed"],
  }),
  ...group("store", `at most ${LASTS.grant} and 1 day`, {
    "link or browser with access": ["access_links", "access_grants"],
  }),
  ...group("store", LASTS.resume, { "counted download, and view": ["document_downloads"] }),
  // Messages
  ...group("use", "until it is sent, at most until its link expires (7 days)", {
    "mail or notification": ["outbox"],
  }, "mail, push"),
  ...group("store", "until its link would have expired (7 days)", {
    "message that could not be sent": ["outbox_dead"],
  }),
  ...group("store", LASTS.outcome, { "mail about a record": ["outbox_outcomes"] }),
  ...group("store", LASTS.code, {
    "code": ["otp_codes", "otp_codes_by_contact", "otp_codes_by_browser"],
  }),
  ...group("store", LASTS.call, { "call": ["code_calls"] }),
  ...group("store", LASTS.delivery, { "message of a code": ["code_deliveries"] }),
  ...group("store", "3 days", { "day and dial code": ["code_days"] }),
  // Apps
  ...group("store", `${LASTS.appUnused} unused, ${LASTS.app} after its last use`, {
    "app that registers": ["oauth_clients"],
  }),
  ...group("store", LASTS.authorizationRequest, { "request of an app": ["oauth_requests"] }),
  ...group("store", LASTS.handoff, { "decision": ["oauth_handoffs"] }),
  ...group("store", "at most 90 days after the last use; 270 days for notifications", {
    "connection, and token of one": [
      "oauth_codes",
      "oauth_grants",
      "oauth_grants_by_record",
      "oauth_tokens",
    ],
  }),
  // Consoles
  ...group("store", LASTS.payment, {
    "payment": ["payments", "payments_by_id", "payments_by_record"],
  }),
  ...group("store", LASTS.paymentReport, { "report of the payment provider": ["payment_events"] }),
  ...group("store", LASTS.auditLog, { "action of an operator": ["audit"] }),
  ...group("store", `${LASTS.alert} after the latest report`, {
    "problem": ["alerts", "alerts_unread", "alerts_open", "alerts_by_record"],
  }),
  ...group("store", "30 days", { "kind of bank data and console": ["bank_cache"] }),
  ...group("store", "90 days", { "bank account": ["bank_daily"] }),
  ...group("use", "until the bank responds", { "organisation": ["bank_outages"] }, "bank"),
  // Operation
  ...group("nothing", "always", {
    "day, type and site of registrations, and level": ["record_counts"],
    "counter": ["stats"],
    "organisation and list": ["versions"],
    "signing key": ["chain_keys", "chain_keys_withdrawn"],
    "version of a page": ["pages", "pages_by_hash"],
    "job": ["jobs"],
    "store": [
      "app_secret",
      "chain_signing_key",
      "format",
      "store",
      "users_last_id",
      "magic_tokens_last_id",
    ],
  }),
];

/** Returns a row for each thing that adds keys. */
function group(
  removedBy: Remover,
  kept: string,
  prefixes: Record<string, string[]>,
  job?: string,
): Retention[] {
  return Object.entries(prefixes).map(([per, prefixes]) => ({
    prefixes,
    kept,
    removedBy,
    per,
    ...job === undefined ? {} : { job },
  }));
}

/** The remover of the rows below each prefix. */
export const REMOVERS: ReadonlyMap<string, Remover> = new Map(
  RETENTION.flatMap(({ prefixes, removedBy }) =>
    prefixes.map((prefix) => [prefix, removedBy] as const)
  ),
);
