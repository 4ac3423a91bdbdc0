import { aboutContact, ownerOf } from "../contact/mod.ts";
import {
  MailAction,
  type Mailer,
  MailNote,
  mailPage,
  type QueuedMail,
} from "../../platform/mail/mod.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import { DAY_MS, formatDateTime, HOUR_MS, plural } from "../../base/time.ts";
import type { Reader } from "./access_log.ts";
import type { NoticeKind, Undo } from "./linked.ts";
import type { RecordEntry } from "./store.ts";
import { addUndo, UNDO_LIFETIME_MS } from "./undo.ts";

export interface Notice {
  record: RecordEntry;
  kind: NoticeKind;
  undo: Undo;
  /** Where the request came from; absent if an administrator caused the event. */
  reader?: Reader;
  /** Further facts about the event, each with its name. */
  facts?: readonly (readonly [name: string, value: string])[];
}

export interface NoticesOptions {
  mailer: Mailer;
  surfaces: Surfaces;
  organisations: Record<OrganisationKey, { name: string }>;
}

/** The security notices of records. */
export interface Notices {
  /**
   * Adds a notice to the commit that causes it. Pass the result to `mailer.send` after the commit.
   *
   * @returns no mail if the record's address is not confirmed
   */
  add(commit: Deno.AtomicOperation, notice: Notice, now: number): Promise<QueuedMail[]>;
}

/** How long a deletion can be cancelled before it takes effect. */
export const DELETION_DELAY_MS = 24 * HOUR_MS;

/** How long a recovery can be cancelled before the new address gets a link (design, section 11). */
export const RECOVERY_DELAY_MS = 72 * HOUR_MS;

interface NoticeText {
  title: string;
  /** The meaning of the event. */
  meaning: string;
  /** The effect of the link, as the text of a button. */
  undo: string;
  /** The result, as a sentence. */
  undone: string;
  /** Advice for the holder. */
  next: string;
}

const SIGN_IN_AGAIN = "Sign in again with a link to this address, and check your access log.";

/** The texts of each notice, for the mail and the page that its link opens. */
export const NOTICE_TEXTS: Record<NoticeKind, NoticeText> = {
  passkey_added: {
    title: "A passkey was added to your record",
    meaning: "Anyone who can use this passkey can open your record.",
    undo: "Remove the passkey",
    undone: "The passkey no longer opens your record.",
    next: `${SIGN_IN_AGAIN} Remove every other passkey that you do not recognise.`,
  },
  passkey_removed: {
    title: "A passkey was removed from your record",
    meaning: "It no longer opens your record. A removed passkey cannot be restored.",
    undo: "Sign out every browser",
    undone: "The person who removed the passkey can no longer change your record.",
    next: `${SIGN_IN_AGAIN} Then add a new passkey.`,
  },
  mobile_confirmed: {
    title: "A mobile number was confirmed for your record",
    meaning: "A code that is sent to this number can now open your record.",
    undo: "Stop the number from opening your record",
    undone: "Codes sent to this number no longer open your record.",
    next: `${SIGN_IN_AGAIN} If the number is not yours, correct your contact data.`,
  },
  signed_in_by_code: {
    title: "Your record was opened with a code",
    meaning: "Someone signed in with a code that was sent to your confirmed mobile number.",
    undo: "End the session and stop using codes",
    undone: "The session has ended, and codes no longer open your record.",
    next: `${SIGN_IN_AGAIN} If someone else has your number, contact your phone company before ` +
      "you confirm it again.",
  },
  key_replaced: {
    title: "The key of your record was replaced",
    meaning: "The previous key no longer works. The key service reports it as replaced.",
    undo: "Revoke the new key",
    undone: "The new key is revoked.",
    next: `${SIGN_IN_AGAIN} You can then create another key.`,
  },
  correction: {
    title: "A correction of your record was entered",
    meaning: "When it takes effect, a new record with the corrected data replaces this one, and " +
      "connected apps are disconnected.",
    undo: "Withdraw the correction",
    undone:
      "The correction is withdrawn, and your previous record is in force. Passkeys that were " +
      "added to the corrected record are removed.",
    next: `${SIGN_IN_AGAIN} Remove every other passkey that you do not recognise.`,
  },
  deletion: {
    title: "Your record will be deleted",
    meaning: `It is closed now, and will be deleted after ${
      plural(DELETION_DELAY_MS / HOUR_MS, "hour")
    }.`,
    undo: "Keep my record",
    undone: "Your record will not be deleted. It is open again.",
    next: `${SIGN_IN_AGAIN} Remove every passkey that you do not recognise.`,
  },
  recovery: {
    title: "Someone asked for access to your record",
    meaning: "An administrator has checked the identity of a person who says that they have lost " +
      "access to this address. We will mail a sign-in link to their new address after " +
      `${plural(RECOVERY_DELAY_MS / HOUR_MS, "hour")}.`,
    undo: "Stop the recovery",
    undone: "The recovery is stopped. No link will be sent to the other address.",
    next: "Please report this to the organisation that your record belongs to.",
  },
  agent_connected: {
    title: "An app was connected to your record",
    meaning: "The app now has the access that is named below.",
    undo: "Disconnect the app",
    undone: "All apps are disconnected from your record.",
    next: `${SIGN_IN_AGAIN} Remove every passkey that you do not recognise.`,
  },
};

const VALID = `The link works once, within ${plural(UNDO_LIFETIME_MS / DAY_MS, "day")}.`;
const IF_YOU = "If this was you, you do not need to do anything.";
const IF_NOT = "If this was not you, undo it. This also signs out every browser and disconnects " +
  "all apps.";

export function createNotices({ mailer, surfaces, organisations }: NoticesOptions): Notices {
  return {
    async add(commit, { record, kind, undo, reader, facts: more = [] }, now) {
      const { hash, contact } = record;
      const page = surfaces.url("trust", "/my-record/undo");
      if (contact.value.confirmed_at === null || page === null) return [];
      const key = ownerOf(contact.value);
      const { title, meaning, undo: button } = NOTICE_TEXTS[kind];
      const link = `${page}?token=${addUndo(commit, { hash, kind, undo }, now)}`;
      const facts = [
        ...more,
        ["When", formatDateTime(new Date(now).toISOString())],
        ["Where", whereOf(reader)],
        ["Record", `${hash.slice(0, 8)}…`],
      ];
      const mail = {
        sender: key,
        to: contact.value.record.email,
        subject: `${title} (${organisations[key].name})`,
        text: [
          `${title}. ${meaning}`,
          facts.map(([name, value]) => `${name}: ${value}`).join("\n"),
          IF_YOU,
          `${IF_NOT} ${button}:\n${link}`,
          VALID,
        ].join("\n\n") + "\n",
        html: mailPage(
          title,
          <>
            <p>{meaning}</p>
            {facts.map(([name, value]) => (
              <p style="margin: 0 0 8px;">
                <strong>{name}:</strong> {value}
              </p>
            ))}
            <p>{IF_YOU} {IF_NOT}</p>
            <MailAction href={link} text={button} />
            <MailNote>{VALID}</MailNote>
          </>,
        ),
      };
      const expiresAt = now + UNDO_LIFETIME_MS;
      return [
        await mailer.add(commit, mail, { expiresAt, about: aboutContact(hash), kind: "notice" }),
      ];
    },
  };
}

/** Describes where a request came from: `Firefox on Windows, network 203.0.113.0/24`. */
const whereOf = (reader: Reader | undefined): string =>
  reader === undefined ? "our console" : `${reader.browser}, network ${reader.network}`;
