/** The access log of a record, as a list, a section of the record page and a page of its own. */
import { ACCESS_TEXTS, type AccessEntry, type AccessKind } from "../../lib/features/records/mod.ts";
import { nameOf } from "../EventName.tsx";
import { StateNote } from "../StateNote.tsx";
import { Pager } from "../Pager.tsx";
import { mixedText } from "../mixed_text.ts";
import { BackToRecord, type BesidePart, RecordFrame } from "../RecordFrame.tsx";
import { FoldedSection } from "../Section.tsx";
import { Time } from "../Time.tsx";

/** Entries whose detail continues the sentence. In others it follows a colon. */
const CONTINUED: readonly AccessKind[] = [
  "signed_in",
  "email_confirmed",
  "readings_suppressed",
  "recovery_started",
  "recovery_sent",
];

function textOf({ what, detail }: AccessEntry): string {
  if (detail === undefined) return ACCESS_TEXTS[what];
  if (CONTINUED.includes(what)) return `${ACCESS_TEXTS[what]} ${withNames(detail)}`;
  return `${ACCESS_TEXTS[what]}: ${what === "undone" ? detail.replaceAll("_", " ") : detail}`;
}

/** Replaces the kinds of events in a text with their plain names. */
const withNames = (text: string) =>
  text.replace(/[a-z0-9]+(?:_[a-z0-9]+)+/g, (kind) => nameOf(kind)?.toLowerCase() ?? kind);

const ID = /([0-9A-Z]{4}(?:-[0-9A-Z]{4})+)/;

/** Marks the ids of documents and requests in a text, so that they do not break across lines. */
const withIds = (text: string) =>
  mixedText(
    text.split(ID).map((part, i) =>
      i % 2 === 0 ? part : <span class="nowrap" key={i}>{part}</span>
    ),
  );

/** Entries of the access log, newest first. */
export function AccessEntries({ entries }: { entries: AccessEntry[] }) {
  return (
    <ol class="access-log">
      {entries.map((entry, i) => (
        <li class="stack" key={i}>
          <span class="what">
            {withIds(textOf(entry))}
            {nameOf(entry.what) !== undefined && (
              <>
                {" "}
                <span class="event-kind mono muted text-small anywhere">{entry.what}</span>
              </>
            )}
          </span>
          <Time class="muted text-medium" at={entry.at} />
          <span class="where muted text-medium">{entry.browser}, network {entry.network}</span>
        </li>
      ))}
    </ol>
  );
}

/** The latest entries of the access log, with a link to all of them. */
export function AccessLogSection({ entries, more }: { entries: AccessEntry[]; more: boolean }) {
  return (
    <FoldedSection
      id="log"
      title="Access log"
      state={entries.length === 0 ? "Empty" : (
        <>
          Last entry on <Time at={entries[0].at} day />
        </>
      )}
      lead="Sign-ins, changes, checks of the chain and readings of documents. Only you and administrators see them. Administrators can see your contact data without an entry."
    >
      {entries.length === 0
        ? <p class="muted">No entries yet.</p>
        : <AccessEntries entries={entries} />}
      {more && (
        <p>
          <a href="/my-record/log" aria-label="All entries of the access log">All entries</a>
        </p>
      )}
    </FoldedSection>
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
        <a href="/my-record#sessions">Sign out everywhere</a>. If we emailed you about a change, the
        email contains a link that undoes it.
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
        Sign-ins, changes, checks of the chain and readings of documents, newest first.
      </p>
      {entries.length === 0
        ? <StateNote kind="empty" title={first ? "No entries yet" : "No older entries"} />
        : <AccessEntries entries={entries} />}
      <Pager
        label="Pages of entries"
        previous={first ? null : { href: "/my-record/log", text: "Newest" }}
        next={cursor === null
          ? null
          : { href: `/my-record/log?cursor=${encodeURIComponent(cursor)}`, text: "Older" }}
      />
    </RecordFrame>
  );
}
