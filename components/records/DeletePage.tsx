import { maskEmail } from "../../lib/features/contact/mod.ts";
import { DELETION_DELAY_MS, type RecordEntry } from "../../lib/features/records/mod.ts";
import { DAY_MS, formatDateTime, plural } from "../../lib/base/time.ts";
import { Field } from "../Field.tsx";
import { ActionPage, SignInFirst } from "../ActionPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";

const DELAY = plural(DELETION_DELAY_MS / DAY_MS, "day");

/** The masked address that gets the notice. */
const emailOf = ({ contact }: RecordEntry) => maskEmail(contact.value.record.email);

export interface DeletePageProps {
  record: RecordEntry;
  /** True if the holder signed in recently. Otherwise the page asks for that first. */
  recent: boolean;
  problem?: string;
}

/** Lists what is deleted with a record and what remains, with the form that confirms it. */
export function DeletePage({ record, recent, problem }: DeletePageProps) {
  return (
    <ActionPage title="Delete my record" beside={besideDeletion(record)}>
      <p class="lead">
        Your record is closed at once and deleted after {DELAY}. Until then you can cancel.
      </p>
      <h2>What is deleted</h2>
      <ul>
        <li>what you entered: your name, email address, mobile number and message</li>
        <li>the salt, without which nobody can test a guess about you against the hash</li>
        <li>your declaration, with all its versions</li>
        <li>passkeys, sessions, codes and keys, and the access of connected apps</li>
        <li>the access log, and mail that has not been sent yet</li>
        <li>earlier records that this one corrects, with everything that belongs to them</li>
      </ul>
      <h2>What remains</h2>
      <ul>
        <li>
          the chain, which is the hash and the events with their times: it contains no personal
          data, and nobody can tell whose record it was
        </li>
        <li>mail that we have already sent, and what you downloaded or printed</li>
        <li>passkeys on your devices, which no longer open anything and which you can remove</li>
      </ul>
      {recent ? <DeleteForm hash={record.hash} problem={problem} /> : <SignInFirst />}
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
          We will mail {emailOf(record)}{" "}
          a link that cancels the deletion, in case it was someone else who requested it. With the
          same link you can also delete the record sooner.
        </li>
        <li>After {DELAY}, the record is deleted. Nobody can restore it.</li>
      </ol>
    ),
  },
  {
    title: "How to undo it",
    text: `Open the link in the mail or sign in within ${DELAY}, and choose “Keep my record”.`,
  },
  {
    title: "Keep a copy",
    text: (
      <p>
        You can <a href="/my-record#data">download your data</a> before you delete the record.
      </p>
    ),
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
      <p class="lead">It will be deleted on {formatDateTime(at)}.</p>
      <p>
        If you did not request this or have changed your mind, you can keep the record here or with
        the link that we mailed to you.
      </p>
      {recent
        ? (
          <form method="post" action="/my-record/delete">
            <input type="hidden" name="act" value="cancel" />
            <button type="submit" class="button primary">Keep my record</button>
          </form>
        )
        : <SignInFirst />}
    </ActionPage>
  );
}

/** The page after a deletion was confirmed, which signed the holder out. */
export function DeletionScheduledPage({ at, record }: { at: string; record: RecordEntry }) {
  return (
    <ActionPage title="Your record will be deleted">
      <p class="lead">It is closed now, and will be deleted on {formatDateTime(at)}.</p>
      <p>
        You are signed out everywhere, apps and devices are disconnected, and nobody can read your
        documents. To keep the record, use the link that we mailed to{" "}
        {emailOf(record)}, or sign in before then. The same link can also delete it sooner.
      </p>
    </ActionPage>
  );
}
