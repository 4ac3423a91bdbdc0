/** The pages on which a holder deletes a record, and those after the confirmation. */
import { maskEmail } from "../../lib/features/contact/mod.ts";
import {
  documentPath,
  type DocumentRow,
  formatDocumentId,
} from "../../lib/features/documents/mod.ts";
import { DELETION_DELAY_MS, type RecordEntry } from "../../lib/features/records/mod.ts";
import { DAY_MS, plural } from "../../lib/base/time.ts";
import { Field } from "../Field.tsx";
import { ActionPage, SignInFirst } from "../ActionPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { FoldedSection } from "../Section.tsx";
import { Time } from "../Time.tsx";

const DELAY = plural(DELETION_DELAY_MS / DAY_MS, "day");

/** The masked address that gets the notice. */
const emailOf = ({ contact }: RecordEntry) => maskEmail(contact.value.record.email);

interface ErasedGroup {
  title: string;
  /** The subject, in a few words. */
  about?: string;
  /** The rows that are counted by label, and their name. */
  counted?: Record<string, string>;
  /** Plain names of the erased data by label of the privacy page, in the page's order. */
  names: Record<string, string>;
}

/**
 * The erased data in groups. The names are the labels of tables on the privacy page, of all features. A label that no
 * group has is in the last one.
 */
const GROUPS: readonly ErasedGroup[] = [
  {
    title: "What you sent",
    about: "Contact data, message",
    names: {
      "Your record": "what you entered (your name, email address, mobile number and message) and " +
        "the random value, without which nobody can test a guess about you against the hash",
      "Declaration": "your declaration, with all its versions",
      "Corrections": "earlier records that this one corrects, with everything that belongs to them",
      "Inbox": "our notes about your enquiry, and our replies",
      "Mail to you": "emails that have not been sent yet, and whether earlier ones were accepted",
    },
  },
  {
    title: "Documents and access",
    counted: { "Documents": "document", "Your request": "request" },
    names: {
      "Documents": "your documents, with all their versions",
      "Your request": "requests for access to your documents",
      "The link that confirms your address": "links that confirm requests for access",
      "The link to the document":
        "links that open your documents for others, and the access that " +
        "they gave",
      "Issued documents": "the name and address with which an issuer sent you documents",
      "Shared links": "links with which you share documents",
    },
  },
  {
    title: "Signing in",
    counted: { "Passkeys": "passkey" },
    names: {
      "Passkeys": "passkeys",
      "Sessions": "sessions, in every browser",
      "Signing in": "sign-in links, and what finds your record by your address or number",
      "Confirmed numbers": "your confirmed number",
      "Codes": "codes that we sent to your phone",
      "Confirmation link": "links that confirm your email address",
      "Recovery": "requests to recover your record",
      "Security notices": "the links in our security notices",
    },
  },
  {
    title: "Apps and devices",
    counted: { "Connections": "app" },
    names: {
      "Connections": "the access of connected apps",
      "Signing in to connect an app": "sign-ins for apps that were not finished",
      "Notifications": "phones and browsers that get notifications",
    },
  },
  {
    title: "Key and level",
    about: "And identity check",
    names: {
      "Your key": "keys",
      "Level": "the level of your record",
      "Identity check": "the note about the check of your identity",
    },
  },
  {
    title: "Logs and counts",
    about: "Who read what, and when",
    names: {
      "Access log": "the access log",
      "Repeated checks": "what keeps repeated checks out of the access log",
      "Limits": "counts that limit how often you can do something",
      "Search": "what finds your record by a word of your name or organisation",
      "Deletion": "the time of this request",
    },
  },
];

interface Group extends ErasedGroup {
  /** Those of its labels that are erased. */
  labels: readonly string[];
}

/** Returns the groups with the labels of what is erased, each label once. */
function groupsOf(erases: readonly string[]): Group[] {
  const known = new Set(GROUPS.flatMap(({ names }) => Object.keys(names)));
  const unknown = erases.filter((label) => !known.has(label));
  return GROUPS.map((group, i) => {
    const own = Object.keys(group.names).filter((label) => erases.includes(label));
    return { ...group, labels: i === GROUPS.length - 1 ? [...own, ...unknown] : own };
  }).filter(({ labels }) => labels.length > 0);
}

export interface DeletePageProps {
  /** The labels, on the privacy page, of the data that is erased with the record. */
  erases: readonly string[];
  /** How many there are, by the same labels. Default: not counted. */
  counts: Partial<Record<string, number>>;
  documents: readonly DocumentRow[];
  record: RecordEntry;
  /** True if the holder signed in recently. Otherwise the page asks for that first. */
  recent: boolean;
  problem?: string;
}

/** Lists what is deleted with a record and what remains, with the form that confirms it. */
export function DeletePage(
  { record, recent, erases, counts, documents, problem }: DeletePageProps,
) {
  return (
    <ActionPage title="Delete my record" beside={besideDeletion(record)}>
      <p class="lead">
        Your record is closed at once and deleted after {DELAY}. Until then you can cancel.
      </p>
      <h2>What is deleted</h2>
      <p>
        What we store for your record. Open a line to see what it is. You can{" "}
        <a href="/my-record#data">download your data</a> first.
      </p>
      {documents.length > 0 && (
        <p>
          <strong>From then on, nobody can check your documents.</strong>{" "}
          Whoever enters a number or chooses a file gets the same answer as for a document that was
          never issued.
        </p>
      )}
      <div>
        {groupsOf(erases).map((group, i) => (
          <FoldedSection
            key={group.title}
            id={`erased-${i}`}
            title={group.title}
            state={group.counted === undefined ? group.about : Object.entries(group.counted)
              .map(([label, name]) => plural(counts[label] ?? 0, name)).join(", ")}
            open={group.labels.includes("Documents") && documents.length > 0}
          >
            <ul>
              {group.labels.map((label) => (
                <li key={label}>
                  {group.names[label] ?? label}
                  {counts[label] !== undefined && ` (${counts[label]})`}
                  {label === "Documents" && documents.length > 0 && (
                    <ul>
                      {documents.map(({ id, title }) => (
                        <li key={id}>
                          <a href={documentPath(id)}>{title}</a> <code>{formatDocumentId(id)}</code>
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              ))}
            </ul>
          </FoldedSection>
        ))}
      </div>
      <h2>What remains</h2>
      <ul>
        <li>
          the chain, which is the hash and the events with their times: it contains no personal
          data, and nobody can tell whose record it was
        </li>
        <li>emails that we have already sent, and what you downloaded or printed</li>
        <li>passkeys on your devices, which no longer open anything and which you can remove</li>
      </ul>
      {recent ? <DeleteForm hash={record.hash} problem={problem} /> : <SignInFirst page="delete" />}
    </ActionPage>
  );
}

const besideDeletion = (record: RecordEntry): readonly BesidePart[] => [
  {
    title: "What happens next",
    text: (
      <ol>
        <li>Your record is closed at once, and you are signed out everywhere.</li>
        <li>
          We will email {emailOf(record)}{" "}
          a link that cancels the deletion, in case it was someone else who requested it. With the
          same link you can also delete the record sooner.
        </li>
        <li>After {DELAY}, the record is deleted. Nobody can restore it.</li>
      </ol>
    ),
  },
  {
    title: "How to undo it",
    text: `Open the link in the email or sign in within ${DELAY}, and choose “Keep my record”.`,
  },
];

function DeleteForm({ hash, problem }: { hash: string; problem?: string }) {
  return (
    <form class="record-form" method="post" action="/my-record/delete">
      <p>
        The hash of your record is <code class="hash">{hash}</code>
      </p>
      <Field name="digits" label="Its last four digits" required problem={problem}>
        {(control) => (
          <input
            {...control}
            type="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            maxLength={4}
          />
        )}
      </Field>
      <button type="submit" class="button danger">Delete my record</button>
    </form>
  );
}

/** The page of a record that will be deleted, after sign-in. */
export function ClosedRecordPage({ at, recent }: { at: string; recent: boolean }) {
  return (
    <ActionPage title="Your record is closed" back={false}>
      <p class="lead">
        It will be deleted on <Time at={at} />.
      </p>
      <p>
        If you did not request this or have changed your mind, you can keep the record here or with
        the link that we emailed to you.
      </p>
      {recent
        ? (
          <form method="post" action="/my-record/delete">
            <input type="hidden" name="act" value="cancel" />
            <button type="submit" class="button primary">Keep my record</button>
          </form>
        )
        : <SignInFirst page="delete" />}
    </ActionPage>
  );
}

/** The page after a deletion was confirmed, which signed the holder out. */
export function DeletionScheduledPage({ at, record }: { at: string; record: RecordEntry }) {
  return (
    <ActionPage title="Your record will be deleted">
      <p class="lead">
        It is closed now, and will be deleted on <Time at={at} />.
      </p>
      <p>
        You are signed out everywhere, apps and devices are disconnected, and nobody can read your
        documents. To keep the record, use the link that we emailed to{" "}
        {emailOf(record)}, or sign in before then. The same link can also delete it sooner.
      </p>
    </ActionPage>
  );
}
