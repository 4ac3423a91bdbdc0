/** The mails about sensitive events, each with a link that undoes the event. */
import { aboutContact, ownerOf } from "../../contact/mod.ts";
import {
  createMail,
  type Mailer,
  type MailOrganisation,
  type QueuedMail,
  senderOf,
} from "../../../platform/mail/mod.ts";
import type { OrganisationKey, Surfaces } from "../../../platform/surfaces/mod.ts";
import { DAY_MS, formatDateTime, plural } from "../../../base/time.ts";
import type { Reader } from "../access_log/access_log.ts";
import type { RecordsOptions } from "../record/options.ts";
import type { NoticeKind, Undo } from "../record/record_data.ts";
import type { RecordEntry } from "../record/store.ts";
import { UNDO_LIFETIME_MS } from "./delays.ts";
import { NOTICE_TEXTS } from "./texts.ts";
import { addUndo } from "./undo_links.ts";

export interface Notice {
  record: RecordEntry;
  kind: NoticeKind;
  /** The event that the link undoes; null for a notice without a link. */
  undo: Undo | null;
  /** The address, if it is not the one of the record. */
  to?: string;
  /** Where the request came from; absent if an administrator caused the event. */
  reader?: Reader;
  /** Further facts about the event, each with its name. */
  facts?: readonly (readonly [name: string, value: string])[];
  /** Milliseconds for which the mail can be recalled. Default: it is sent at once. */
  holdMs?: number;
}

/** The dependencies of the parts that mail notices. */
export interface WithNotices extends RecordsOptions {
  notices: Notices;
}

export interface NoticesOptions {
  mailer: Mailer;
  surfaces: Surfaces;
  organisations: Record<OrganisationKey, MailOrganisation>;
}

/** The security notices of holders. */
export interface Notices {
  /**
   * Adds a notice to the commit that causes it. Pass the result to `mailer.send` after the commit.
   *
   * @returns no mail if the record's address is not confirmed
   */
  add(commit: Deno.AtomicOperation, notice: Notice, now: number): Promise<QueuedMail[]>;
}

const VALID = `The link works once, within ${plural(UNDO_LIFETIME_MS / DAY_MS, "day")}.`;
const IF_YOU = "If this was you, you do not need to do anything.";
const IF_NOT = "If this was not you, undo it. This also signs out every browser, disconnects all " +
  "apps and devices, and revokes access to your documents.";

const NO_LINK =
  "If this was not you, report it to the organisation that the record belongs to. This " +
  "address cannot undo it.";

export function createNotices({ mailer, surfaces, organisations }: NoticesOptions): Notices {
  return {
    async add(commit, { record, kind, undo, to, reader, facts: more = [], holdMs }, now) {
      const { hash, contact } = record;
      const page = surfaces.url("trust", "/my-record/undo");
      if (contact.value.confirmed_at === null || page === null) return [];
      const key = ownerOf(contact.value);
      const { title, meaning, undo: button } = NOTICE_TEXTS[kind];
      const link = undo && `${page}?token=${addUndo(commit, { hash, kind, undo }, now)}`;
      const facts: (readonly [string, string])[] = [
        ...more,
        ["When", formatDateTime(new Date(now).toISOString())],
        ["Where", whereOf(reader)],
        ["Record", `${hash.slice(0, 8)}…`],
      ];
      const sender = senderOf(organisations, key);
      const mail = createMail({
        sender,
        to: to ?? contact.value.record.email,
        subject: `${title} (${sender.name})`,
        title,
        parts: [
          meaning,
          { facts },
          `${IF_YOU} ${link === null ? NO_LINK : IF_NOT}`,
          ...link === null ? [] : [{ link, text: button }, { note: VALID }],
        ],
        because: `this is, or was, the confirmed address of a record at ${sender.name}`,
      });
      const expiresAt = now + UNDO_LIFETIME_MS;
      const options = { expiresAt, about: aboutContact(hash), kind: "notice", holdMs } as const;
      return [await mailer.add(commit, mail, options)];
    },
  };
}

/** Describes where a request came from: `Firefox on Windows, network 203.0.113.0/24`. */
const whereOf = (reader: Reader | undefined): string =>
  reader === undefined ? "our console" : `${reader.browser}, network ${reader.network}`;
