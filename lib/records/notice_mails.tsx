import { aboutContact, ownerOf } from "../contact/mod.ts";
import type { Mailer, QueuedMail } from "../mail/mod.ts";
import { MailNote, mailPage } from "../mail/mail_page.tsx";
import type { OrganisationKey } from "../surfaces/mod.ts";
import { DAY_MS, formatDateTime } from "../time.ts";
import type { Undo } from "./linked.ts";
import type { RecordEntry } from "./store.ts";

/** A sensitive event that is mailed to the holder's confirmed address (design, section 11). */
export type NoticeKind =
  | "passkey_added"
  | "mobile_confirmed"
  | "signed_in_by_code"
  | "key_replaced"
  | "correction"
  | "deletion"
  | "recovery";

export interface Notice {
  record: RecordEntry;
  kind: NoticeKind;
  undo: Undo;
}

export interface NoticesOptions {
  mailer: Mailer;
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

/** How long the link that undoes an event is valid. */
export const UNDO_LIFETIME_MS = 7 * DAY_MS;

const SUBJECTS: Record<NoticeKind, string> = {
  passkey_added: "A passkey was added to your record",
  mobile_confirmed: "A mobile number was confirmed for your record",
  signed_in_by_code: "Your record was opened with a code",
  key_replaced: "The key of your record was replaced",
  correction: "A correction of your record was entered",
  deletion: "Your record will be deleted",
  recovery: "Access to your record was requested",
};

export function createNotices({ mailer, organisations }: NoticesOptions): Notices {
  return {
    async add(commit, { record, kind }, now) {
      const { hash, contact } = record;
      if (contact.value.confirmed_at === null) return [];
      const key = ownerOf(contact.value);
      const subject = SUBJECTS[kind];
      const when = `${formatDateTime(new Date(now).toISOString())}. Record ${hash.slice(0, 8)}.`;
      const mail = {
        sender: key,
        to: contact.value.record.email,
        subject: `${subject} (${organisations[key].name})`,
        text: `${subject}.\n\n${when}\n`,
        html: mailPage(subject, <MailNote>{when}</MailNote>),
      };
      const expiresAt = now + UNDO_LIFETIME_MS;
      return [await mailer.add(commit, mail, { expiresAt, about: aboutContact(hash) })];
    },
  };
}
