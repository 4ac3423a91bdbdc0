import type { AccessEntry, AccessKind } from "../../lib/features/records/mod.ts";
import { formatDateTime } from "../../lib/base/time.ts";
import { StateNote } from "../StateNote.tsx";
import { BackToRecord, type BesidePart, RecordFrame } from "./RecordFrame.tsx";
import { Section } from "./Section.tsx";

/** The text of each kind of entry. */
const TEXTS: Record<AccessKind, string> = {
  email_confirmed: "Email address confirmed",
  signed_in: "Signed in",
  signed_out: "Signed out",
  signed_out_everywhere: "Signed out everywhere",
  passkey_added: "Passkey added",
  passkey_renamed: "Passkey renamed",
  passkey_removed: "Passkey removed",
  passkey_counter: "Passkey used with an unexpected counter",
  device_added: "Device added for notifications",
  device_removed: "Device removed from notifications",
  notifications_changed: "Choice of notifications changed",
  mobile_confirmed: "Mobile number confirmed",
  mobile_unconfirmed: "Mobile number no longer confirmed",
  declared: "Declaration made",
  key_shown: "Key shown",
  key_replaced: "Key replaced",
  key_revoked: "Key revoked",
  record_verified: "Record verified by a reader",
  document_added: "Document added",
  document_replaced: "New version of a document",
  document_withdrawn: "Document withdrawn",
  document_edited: "Description of a document changed",
  document_viewed: "Document viewed",
  document_downloaded: "Document downloaded",
  document_printed: "Document printed",
  document_verified: "A reader's file matched a document",
  access_requested: "Access requested",
  access_approved: "Access approved",
  access_refused: "Access refused",
  access_revoked: "Access revoked",
  access_opened: "Access link used",
  readings_suppressed: "Further readings that are not in the chain",
  identity_checked: "Identity checked",
  identity_revoked: "Identity check revoked",
  recovery_started: "Recovery started",
  recovery_sent: "Recovery link sent",
  recovery_cancelled: "Recovery cancelled",
  corrected: "Contact data corrected",
  exported: "Data downloaded",
  deletion_requested: "Deletion requested",
  deletion_cancelled: "Deletion cancelled",
  undone: "Undone with the link in a mail",
  agent_connected: "App connected",
  agent_disconnected: "App disconnected",
};

/** Entries whose detail continues the sentence. In others it follows a colon. */
const CONTINUED: readonly AccessKind[] = [
  "signed_in",
  "readings_suppressed",
  "recovery_started",
  "recovery_sent",
];

function textOf({ what, detail }: AccessEntry): string {
  if (detail === undefined) return TEXTS[what];
  if (CONTINUED.includes(what)) return `${TEXTS[what]} ${detail}`;
  return `${TEXTS[what]}: ${what === "undone" ? detail.replaceAll("_", " ") : detail}`;
}

const ID = /([0-9A-Z]{4}(?:-[0-9A-Z]{4})+)/;

/** Marks the ids of documents and requests in a text, so that they do not break across lines. */
const withIds = (text: string) =>
  text.split(ID).map((part, i) => i % 2 === 0 ? part : <span class="id" key={i}>{part}</span>);

/** Entries of the access log, newest first. */
export function AccessEntries({ entries }: { entries: AccessEntry[] }) {
  return (
    <ol class="access-log">
      {entries.map((entry, i) => (
        <li key={i}>
          <span class="what">{withIds(textOf(entry))}</span>
          <time class="muted" dateTime={entry.at}>{formatDateTime(entry.at)}</time>
          <span class="where muted">{entry.browser}, network {entry.network}</span>
        </li>
      ))}
    </ol>
  );
}

/** The latest entries of the access log, with a link to all of them. */
export function AccessLogSection({ entries, more }: { entries: AccessEntry[]; more: boolean }) {
  return (
    <Section
      id="log"
      title="Access log"
      lead="Sign-ins, changes and readings of the record. Only you and administrators see them."
    >
      {entries.length === 0
        ? <p class="muted">No entries yet.</p>
        : <AccessEntries entries={entries} />}
      {more && (
        <p>
          <a href="/my-record/log" aria-label="All entries of the access log">All entries</a>
        </p>
      )}
    </Section>
  );
}

const BESIDE: readonly BesidePart[] = [
  {
    title: "What an entry says",
    text: "What happened, when, in which browser and from which network. Times are in UTC.",
  },
  {
    title: "Who can see it",
    text: "Only you and administrators. Entries are kept for a year.",
  },
  {
    title: "If it was not you",
    text: (
      <p>
        <a href="/my-record#sessions">Sign out everywhere</a>. If we mailed you about a change, the
        mail contains a link that undoes it.
      </p>
    ),
  },
];

/** A page of the access log, newest first. */
export function AccessLogPage(
  { entries, cursor, first }: {
    entries: AccessEntry[];
    /** Continues the list; null at its end. */
    cursor: string | null;
    /** True if this is the first page. */
    first: boolean;
  },
) {
  return (
    <RecordFrame title="Access log" beside={BESIDE}>
      <BackToRecord />
      <h1>Access log</h1>
      <p class="lead">
        Sign-ins, changes and readings of your record, newest first.
      </p>
      {entries.length === 0
        ? <StateNote kind="empty" title={first ? "No entries yet" : "No older entries"} />
        : <AccessEntries entries={entries} />}
      <p class="actions">
        {cursor !== null && (
          <a class="button" href={`/my-record/log?cursor=${encodeURIComponent(cursor)}`}>
            Older entries
          </a>
        )}
        {!first && <a class="button quiet" href="/my-record/log">Newest entries</a>}
      </p>
    </RecordFrame>
  );
}
