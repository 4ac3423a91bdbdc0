import { Head } from "fresh/runtime";
import {
  DEVICE_LIFETIME_MS,
  LINK_WINDOW_MS,
  SESSION_LIFETIME_MS,
  TOKEN_LIFETIME,
} from "../../lib/auth/mod.ts";
import { BROWSER_LIFETIME_MS } from "../../lib/http/browser_cookie.ts";
import { CONTACT_FIELDS, privacyLabelOf } from "../../lib/contact/fields.ts";
import {
  CHALLENGE_REMEMBERED_MS,
  CONFIRMATION_LIFETIME_MS,
  CONFIRMATION_REMEMBERED_MS,
  IDEMPOTENCY_LIFETIME_MS,
} from "../../lib/contact/mod.ts";
import {
  ACCESS_LOG_LIFETIME_MS,
  DELETION_DELAY_MS,
  NONCE_LIFETIME_MS,
  RECORD_LINK_STORED_MS,
  RECOVERY_LINK_LIFETIME_MS,
  REPEAT_MS,
  UNDO_LIFETIME_MS,
} from "../../lib/records/mod.ts";
import { CODE_LIFETIME_MS } from "../../lib/codes/mod.ts";
import { DELIVERY_LIFETIME_MS, PENDING_CALL_LIFETIME_MS } from "../../lib/codes/providers/mod.ts";
import { CHALLENGE_LIFETIME_MS, OPTIONS_WINDOW_MS } from "../../lib/passkeys/mod.ts";
import { UPLOAD_LIFETIME_MS } from "../../lib/documents/mod.ts";
import { EVENT_LIFETIME_MS, PAYMENT_LIFETIME_MS } from "../../lib/payments/mod.ts";
import type { State } from "../../lib/state.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plural, SECOND_MS } from "../../lib/time.ts";
import { THEME_LIFETIME_S } from "../ThemeToggle.tsx";
import { Contacts } from "./Contacts.tsx";

const FIELD_NOUNS = CONTACT_FIELDS.map(privacyLabelOf).join(", ");
const RECORD_LINK_STORED = plural(RECORD_LINK_STORED_MS / DAY_MS, "day");
const RECOVERY_WORKS = plural(RECOVERY_LINK_LIFETIME_MS / DAY_MS, "day");
const BROWSER_LASTS = plural(BROWSER_LIFETIME_MS / MINUTE_MS, "minute");
const SESSION_LASTS = plural(SESSION_LIFETIME_MS / DAY_MS, "day");
const DEVICE_LASTS = plural(DEVICE_LIFETIME_MS / DAY_MS, "day");
const THEME_LASTS = plural(THEME_LIFETIME_S * SECOND_MS / DAY_MS, "day");
const LINK_WORKS = plural(CONFIRMATION_LIFETIME_MS / DAY_MS, "day");
const LINK_STORED = plural(
  (CONFIRMATION_LIFETIME_MS + CONFIRMATION_REMEMBERED_MS) / DAY_MS,
  "day",
);
const UNDO_WORKS = plural(UNDO_LIFETIME_MS / DAY_MS, "day");
const ACCESS_LOGGED = plural(ACCESS_LOG_LIFETIME_MS / DAY_MS, "day");
const NONCE_WORKS = plural(NONCE_LIFETIME_MS / MINUTE_MS, "minute");
const REPEATS_KNOWN = plural(REPEAT_MS / MINUTE_MS, "minute");
// The job may take ten minutes more.
const UPLOAD_REMOVED = plural(Math.ceil((UPLOAD_LIFETIME_MS + 1) / HOUR_MS), "hour");
const DELETION_WAITS = plural(DELETION_DELAY_MS / HOUR_MS, "hour");
const PAYMENTS_KEPT = plural(PAYMENT_LIFETIME_MS / (365 * DAY_MS), "year");
const EVENTS_KEPT = plural(EVENT_LIFETIME_MS / DAY_MS, "day");
const LINKS_COUNTED = plural(LINK_WINDOW_MS / HOUR_MS, "hour");
const PASSKEY_ASKED = plural(CHALLENGE_LIFETIME_MS / MINUTE_MS, "minute");
const PASSKEY_COUNTED = plural(OPTIONS_WINDOW_MS / MINUTE_MS, "minute");
const KEY_STORED = plural(IDEMPOTENCY_LIFETIME_MS / HOUR_MS, "hour");
const CHALLENGE_STORED = plural(CHALLENGE_REMEMBERED_MS / MINUTE_MS, "minute");
const DELIVERY_STORED = plural(DELIVERY_LIFETIME_MS / HOUR_MS, "hour");
const CODE_STORED = plural(CODE_LIFETIME_MS / MINUTE_MS, "minute");
const CALL_STORED = plural(PENDING_CALL_LIFETIME_MS / MINUTE_MS, "minute");

/**
 * Describes the personal data that is stored. Must match `lib/auth`, `lib/codes`, `lib/contact`,
 * `lib/documents`, `lib/mail`, `lib/passkeys`, `lib/payments` and the MCP rate limit.
 */
export function PrivacyPage({ state }: { state: State }) {
  const { config } = state.services;
  const { contact, codes } = config;
  return (
    <article class="prose">
      <Head>
        <title>Privacy</title>
        <meta name="description" content="What these sites store about you, and for how long." />
      </Head>
      <h1>Privacy</h1>
      <p class="lead">
        These sites store as little about you as possible. You do not need an account to read or
        search, and we do not store what you search for.
      </p>

      <h2>What is stored when you sign in</h2>
      <dl class="facts even">
        <dt>Your account</dt>
        <dd>
          Your email address, an account number, when the account was created and when you last
          signed in. The account is created when a sign-in link is first requested. We keep it until
          you ask us to delete it.
        </dd>
        <dt>Sign-in links</dt>
        <dd>
          A fingerprint (SHA-256) of each link, the account it is for, and the page it leads to, for
          {" "}
          {TOKEN_LIFETIME}. The link itself is only in your mail, and works once.
        </dd>
        <dt>Mail to you</dt>
        <dd>
          The mail with your link, encrypted, until it is sent, for at most{" "}
          {TOKEN_LIFETIME}. If it cannot be sent, we keep only the reason, for the same time.
        </dd>
        <dt>Sessions</dt>
        <dd>
          For each browser in which you are signed in, your email address and account number, with a
          fingerprint of the browser's cookie, for {SESSION_LASTS} or until you sign out.
        </dd>
        <dt>Limits</dt>
        <dd>
          The number of links requested, with fingerprints of the email address, the network address
          and, if you have signed in with it before, the browser, for {LINKS_COUNTED}.
        </dd>
      </dl>

      <h2>What is stored when you send an enquiry</h2>
      <dl class="facts even">
        <dt>Your record</dt>
        <dd>
          What you entered ({FIELD_NOUNS}), the organisation that you wrote to, a random salt, and
          when you sent the enquiry and confirmed the address. We keep it until you ask us to delete
          it.
        </dd>
        <dt>Its chain</dt>
        <dd>
          The record's hash and the events of the record, with their times and our signature. Anyone
          who has the hash can read the chain for as long as we publish records. It contains no
          personal data: because the hash includes the salt, nobody can use it to test a guess about
          you.
        </dd>
        <dt>Confirmation link</dt>
        <dd>
          A fingerprint (SHA-256) of the link that we mail you, and the record it is for, for{" "}
          {LINK_STORED}. The link itself is only in your mail, and works for{" "}
          {LINK_WORKS}. Until you use it, a keyed fingerprint of your email address with the record,
          so that you can ask for a new link.
        </dd>
        <dt>Mail to you and our team</dt>
        <dd>
          The mail with your link, and the mail with what you entered, encrypted, until they are
          sent, for at most{" "}
          {LINK_WORKS}. If a mail cannot be sent, we keep only the reason, for the same time.
        </dd>
        <dt>Repeated submissions</dt>
        <dd>
          A fingerprint of a random number that the form generates each time it is opened, and the
          record registered with it, for{" "}
          {KEY_STORED}, so that an enquiry that is sent twice is registered only once.
        </dd>
        <dt>Limits</dt>
        <dd>
          The number of enquiries from a network address, with a fingerprint of that address, for an
          hour. The number of confirmation links sent to an email address, only in memory, for an
          hour.
        </dd>
        {contact.challenge !== undefined && (
          <>
            <dt>Bot check</dt>
            <dd>
              A fingerprint of the result that the check gave to your browser, for{" "}
              {CHALLENGE_STORED}, so that it can be used only once.
            </dd>
          </>
        )}
      </dl>

      <h2>What is stored when you use your record</h2>
      <dl class="facts even">
        <dt>Signing in</dt>
        <dd>
          Keyed fingerprints of your confirmed email address and mobile number, to find your record
          when you sign in. A fingerprint (SHA-256) of each link, the records that it opens and a
          random number of the browser that asked for it, for{" "}
          {RECORD_LINK_STORED}. The link works once, within {TOKEN_LIFETIME}.
        </dd>
        <dt>Sessions</dt>
        <dd>
          For each browser in which you are signed in: the records that you may open, how you signed
          in, your network and the name of your browser, with a fingerprint of its cookie, for{" "}
          {SESSION_LASTS} or until you sign out.
        </dd>
        <dt>Access log</dt>
        <dd>
          Each sign-in, change and check of your record: when, from which network (the first three
          of the four numbers of an IPv4 address, or the first 48 bits of an IPv6 address) and with
          which browser, for {ACCESS_LOGGED}. You and administrators can see it.
        </dd>
        <dt>Limits</dt>
        <dd>
          The number of links requested, with a keyed fingerprint of your email address, and
          fingerprints of the network address and, if you have signed in with it before, the
          browser, for an hour.
        </dd>
        <dt>Declaration</dt>
        <dd>
          What you declared your record is for, in every version, with the time of each. We keep it
          with the record.
        </dd>
        <dt>Your key</dt>
        <dd>
          A fingerprint (SHA-256) of each key of your record, and when it was created, replaced or
          revoked. The key itself is only on your card. Whoever has it sees the record's hash, its
          chain and its level, and nothing about you.
        </dd>
        <dt>Passkeys</dt>
        <dd>
          For each passkey: its public key and its id, the name that you gave it, the password
          manager or authenticator that stores it and how it is reached, whether it is synced, how
          often it was used if it counts that, when it was added and last used, and a random number
          that identifies the record to your password manager. Your fingerprint, face and PIN never
          leave your device. We keep a passkey until you remove it.
        </dd>
        <dt>Requests for passkeys</dt>
        <dd>
          A fingerprint of each request with those of your session or browser, for{" "}
          {PASSKEY_ASKED}, and the number of requests, with a fingerprint of the network address,
          for {PASSKEY_COUNTED}, or for an hour with the record.
        </dd>
        <dt>Security notices</dt>
        <dd>
          A fingerprint (SHA-256) of the link in each notice, the record and the event that it
          undoes, for {UNDO_WORKS}. The mail itself is stored encrypted, until it is sent.
        </dd>
        <dt>Identity check</dt>
        <dd>
          If an administrator has checked your identity: when, the administrator's address, and a
          note on how. If the check is revoked: when, by whom, and why. We keep no copies of
          documents there.
        </dd>
        <dt>Recovery</dt>
        <dd>
          If you have lost every way to sign in and an administrator sends a link to a new address:
          the new address, encrypted; the administrator's address; a note on how they checked who
          you are; and a fingerprint of the link. We keep them until you use the link or stop the
          recovery, or until the link expires after {RECOVERY_WORKS}.
        </dd>
        <dt>Documents</dt>
        <dd>
          The documents that administrators add to your record: every version of the file, its name
          and hash, a title and kind, when and by which administrator it was added, and why it was
          withdrawn, if it was. We keep them with the record. An upload that is interrupted is
          removed within {UPLOAD_REMOVED}.
        </dd>
        <dt>Corrections</dt>
        <dd>
          A correction is a new record. We keep the earlier one with it, so that you can still prove
          what it said, and delete both together. A correction that is not confirmed is deleted
          after {LINK_WORKS}.
        </dd>
        <dt>Deletion</dt>
        <dd>
          When you delete your record, it is closed at once and deleted after{" "}
          {DELETION_WAITS}. Until then you can cancel, in case someone else used your browser.
        </dd>
      </dl>

      <h2>What is stored when you open a document</h2>
      <dl class="facts even">
        <dt>The public page</dt>
        <dd>
          Nothing, if you see only the page that says who issued the document. The number of
          documents that were opened from your network address is kept in memory for a minute.
        </dd>
        <dt>Access log</dt>
        <dd>
          If you were granted access, each view, download and print with the page's button: when,
          your network (the first three of the four numbers of an IPv4 address, or the first 48 bits
          of an IPv6 address), the name of your browser and the grant, for{" "}
          {ACCESS_LOGGED}. The record's holder and administrators can see it. In the chain, which is
          public, there is only the time.
        </dd>
      </dl>

      <h2>What is stored when you check a record or a document</h2>
      <dl class="facts even">
        <dt>Access log</dt>
        <dd>
          If you check the key on a card and your browser verifies the chain, or if you check a file
          and it matches a registered document: when, your network (the first three of the four
          numbers of an IPv4 address, or the first 48 bits of an IPv6 address) and the name of your
          browser, for{" "}
          {ACCESS_LOGGED}. The record's holder and administrators can see it. In the chain, which is
          public, there is only the time.
        </dd>
        <dt>Repeated checks</dt>
        <dd>
          A keyed fingerprint of the day, your network and the record or document, for{" "}
          {REPEATS_KNOWN}, so that further checks in that time are only counted.
        </dd>
        <dt>The file</dt>
        <dd>
          Nothing. The file and its name stay in your browser, which sends the file's hash (SHA-256)
          and, if it matches, a second hash that proves that it has the file. We store neither. If
          the file matches no document, or if you only paste a hash, nothing is stored.
        </dd>
        <dt>Limits</dt>
        <dd>
          The number of checks from your network address, only in memory, for a minute. A
          fingerprint of a random number that lets your browser report one match, for {NONCE_WORKS}.
        </dd>
      </dl>

      {codes.provider !== undefined && (
        <>
          <h2>What is stored when we send you a code</h2>
          <dl class="facts even">
            <dt>Codes</dt>
            <dd>
              A keyed hash of the code, the number, encrypted, the provider's number for the
              message, and a hash of your browser's cookie, for{" "}
              {CODE_STORED}, even if the record is deleted in the meantime.
            </dd>
            <dt>Limits</dt>
            <dd>
              The times of your requests, with a hash of your network address for an hour, and with
              keyed hashes of the number and of its beginning for a day.
            </dd>
            <dt>Confirmed numbers</dt>
            <dd>
              A keyed hash of the number with the record that it opens, until the record is deleted
              or the number is no longer confirmed.
            </dd>
            <dt>Delivery</dt>
            <dd>
              Whether a message was delivered, with the provider's number for the message but
              without yours, for {DELIVERY_STORED}.
            </dd>
            <dt>Calls</dt>
            <dd>
              What the call says after you press a key, encrypted, for {CALL_STORED}.
            </dd>
          </dl>
        </>
      )}

      <h2>What is stored when you pay</h2>
      <dl class="facts even">
        <dt>Payments</dt>
        <dd>
          What our payment provider reports: the amount and currency, the date, the state and
          refunds, the provider’s number for the payment, its description, and the hash of the
          record that it is for, if it names one. We do not receive your card’s number. We keep a
          payment for{" "}
          {PAYMENTS_KEPT}, for our accounts. If you delete the record, we remove the description and
          the hash.
        </dd>
        <dt>Reports</dt>
        <dd>
          A fingerprint (SHA-256) of the number of each report, for{" "}
          {EVENTS_KEPT}, so that none takes effect twice.
        </dd>
      </dl>

      <h2>Who else sees it</h2>
      <p>
        Our mail provider processes the address and text of each mail: the sign-in link, the
        confirmation link, and the mail that sends your enquiry, with everything that you entered,
        to our team. The person who answers it keeps that mail like any other.
      </p>
      {codes.provider !== undefined && (
        <p>
          If you request a code by SMS or call, our telephone provider processes your number and the
          message, and so do the telephone companies that deliver it.
        </p>
      )}
      {contact.challenge !== undefined && (
        <p>
          The contact form loads a script that distinguishes people from bots, from{" "}
          {new URL(contact.challenge.scriptUrl).host}. Its provider receives your network address
          and data about your browser, and tells us whether you passed the check.
        </p>
      )}
      <p>
        We share your data with nobody else. These pages contain no tracking, no advertising and no
        {" "}
        {contact.challenge === undefined ? "" : "other "}third-party scripts.
      </p>

      <h2>Calls to an MCP server</h2>
      <p>
        Your network address is kept in memory for a minute to count requests, and then discarded.
      </p>

      <h2>Cookies</h2>
      <dl class="facts even">
        <dt>
          <code>app_session</code>
        </dt>
        <dd>Keeps you signed in for {SESSION_LASTS}, or until you sign out.</dd>
        <dt>
          <code>app_device</code>
        </dt>
        <dd>
          A random number that identifies a browser in which you have signed in, so that other
          people who request links for your address do not use up your limit. It lasts for{" "}
          {DEVICE_LASTS}.
        </dd>
        <dt>
          <code>record_session</code>
        </dt>
        <dd>Keeps you signed in to your record for {SESSION_LASTS}, or until you sign out.</dd>
        <dt>
          <code>record_browser</code>
        </dt>
        <dd>
          A random number that recognises the browser that asked for a link, a code or a passkey. It
          lasts for {BROWSER_LASTS}.
        </dd>
        <dt>
          <code>theme</code>
        </dt>
        <dd>
          Set only if you choose the dark or the light theme. It stores your choice for{" "}
          {THEME_LASTS}.
        </dd>
      </dl>
      <p>
        After an enquiry, your browser stores its receipt until you close the tab: the record's
        hash, and your email address and number with most characters hidden.
      </p>

      <h2>Deleting your data</h2>
      <p>
        You can delete a record yourself: open <a href="/my-record">your record</a>{" "}
        and choose “Delete my record”. For anything else, write from the email address that you
        used, to the organisation that you wrote to: an enquiry belongs to the organisation on whose
        site it was made, and an account on {config.productName} belongs to{" "}
        {config.organisations.commercial.name}. You can also send questions to these addresses.
      </p>
      <Contacts state={state} />
      <p>
        We delete your account and everything that belongs to it. For each enquiry, we delete
        everything that you entered, the salt, the link, and the mail to our team. The chain
        remains, but nobody can tell whose record it was.
      </p>
    </article>
  );
}
