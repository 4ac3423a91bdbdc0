import { type ComponentChildren, Fragment } from "preact";
import { CONTACT_FIELDS } from "../../lib/contact/fields.ts";
import { maskEmail } from "../../lib/contact/mod.ts";
import {
  type AccessEntry,
  conditionsOf,
  type IdentityCheck,
  type NextStep,
  nextStep,
  type RecordEntry,
  type RecordList,
  type Recovery,
  RECOVERY_DELAY_MS,
} from "../../lib/records/mod.ts";
import { formatDateTime, formatDay, HOUR_MS, plural } from "../../lib/time.ts";
import { Field } from "../Field.tsx";
import { AccessEntries } from "../records/AccessLog.tsx";
import { HashRows } from "../records/Groups.tsx";
import { StateNote } from "../StateNote.tsx";

/** The records of the console's organisation, newest first. */
export function RecordListPage({ list: { records, next } }: { list: RecordList }) {
  return (
    <>
      <h1>Records</h1>
      <p class="lead">Everyone who registered with this organisation, newest first.</p>
      {records.length === 0
        ? <StateNote kind="empty" title="There are no records here" />
        : (
          <div class="card record-list">
            <table>
              <caption class="visually-hidden">Records, newest first</caption>
              <thead>
                <tr>
                  <th scope="col">Record</th>
                  <th scope="col">Level</th>
                  <th scope="col">Registered</th>
                  <th scope="col">Email</th>
                </tr>
              </thead>
              <tbody>
                {records.map((record) => <ListRow key={record.hash} {...record} />)}
              </tbody>
            </table>
          </div>
        )}
      {next !== null && (
        <p>
          <a class="button small" href={`/console/records?after=${next}`}>Older records</a>
        </p>
      )}
    </>
  );
}

function ListRow({ hash, contact: { value: contact }, row }: RecordEntry) {
  const state = stateOf(row);
  return (
    <tr>
      <th scope="row">
        <a href={`/console/records/${hash}`}>
          <code>{hash.slice(0, 8)}…</code>
        </a>
        {row.replaces !== null && <small>corrects {row.replaces.slice(0, 8)}…</small>}
      </th>
      <td class="level">
        {state === null ? row.level : <span class="pill">{state}</span>}
      </td>
      <td>{formatDay(contact.registered_at)}</td>
      <td>
        {maskEmail(contact.record.email)}
        {contact.confirmed_at === null && <small>not confirmed</small>}
      </td>
    </tr>
  );
}

/** Returns why a record is not in force; null if it is. */
const stateOf = (row: RecordEntry["row"]): string | null =>
  row.replaced_by !== null ? "replaced" : row.deletion_at ? "closed" : null;

export interface RefusedForm {
  act: string;
  note: string;
  email: string;
  issues: Record<string, string>;
}

export interface RecordDetailsProps {
  record: RecordEntry;
  /** The full URL of the page that verifies the chain; null if it is not served here. */
  verifyUrl: string | null;
  levelsUrl: string | null;
  /** The open recovery; null if there is none. */
  recovery: Recovery | null;
  /** The latest entries of the access log. */
  log: AccessEntry[];
  /** The form that was refused. */
  refused?: RefusedForm;
  /** Further sections. */
  children?: ComponentChildren;
}

/** One record, for full administrators: its level, who the holder is, and what they declared. */
export function RecordDetailsPage(
  { record, verifyUrl, levelsUrl, recovery, log, refused, children }: RecordDetailsProps,
) {
  const { hash, row, contact: { value: contact } } = record;
  const declarations = contact.declarations ?? [];
  return (
    <>
      <p class="back-link">
        <a href="/console/records">
          <span aria-hidden="true">←</span> All records
        </a>
      </p>
      <h1>
        Record <code>{hash.slice(0, 8)}…</code>
      </h1>
      <State row={row} />
      <div class="record-details">
        <section class="card" aria-labelledby="level">
          <h2 id="level">Level {row.level}</h2>
          <Facts
            facts={([1, 2, 3, 4] as const).map((level) => [
              `Level ${level}`,
              row.reached[level] ? `reached ${formatDateTime(row.reached[level])}` : "not reached",
            ])}
          />
          <p>{NEXT[nextStep(conditionsOf(record)) ?? "none"]}</p>
          {levelsUrl !== null && (
            <p>
              <a href={levelsUrl}>The conditions of each level</a>
            </p>
          )}
        </section>
        <section class="card" aria-labelledby="identity">
          <h2 id="identity">Identity check</h2>
          <Identity record={record} refused={refused} />
        </section>
        <section class="card" aria-labelledby="contact">
          <h2 id="contact">Contact</h2>
          <Facts
            facts={[
              ...CONTACT_FIELDS.map(({ name, label }): [string, string] => [
                label,
                contact.record[name] ?? "not given",
              ]),
              ["Email confirmed", whenOf(contact.confirmed_at)],
              ["Mobile confirmed", whenOf(row.mobile_confirmed_at)],
              ["Passkeys", String(row.passkeys)],
              ["Registered", formatDateTime(contact.registered_at)],
            ]}
          />
        </section>
        <section class="card" aria-labelledby="declaration">
          <h2 id="declaration">Declaration</h2>
          {declarations.length === 0 && <p>The holder has not made a declaration.</p>}
          {declarations.toReversed().map(({ at, text }) => (
            <div key={at}>
              <p class="muted">{formatDateTime(at)}</p>
              <blockquote>{text}</blockquote>
            </div>
          ))}
        </section>
        <section class="card" aria-labelledby="chain">
          <h2 id="chain">Chain</h2>
          <p>
            <HashRows hash={hash} />
          </p>
          {verifyUrl !== null && (
            <p>
              <a href={verifyUrl}>Verify the chain</a>
            </p>
          )}
        </section>
        <section class="card" aria-labelledby="recovery">
          <h2 id="recovery">Recovery</h2>
          <RecoveryPart
            recovery={recovery}
            confirmed={contact.confirmed_at !== null}
            refused={refused}
          />
        </section>
        {children}
      </div>
      <section class="card record-log" aria-labelledby="log">
        <h2 id="log">Access log</h2>
        <AccessEntries entries={log} />
      </section>
    </>
  );
}

const NEXT: Record<NextStep | "none", string> = {
  declare: "Next, the holder declares what the record is for.",
  confirm_email: "Next, the holder confirms the email address.",
  second_factor: "Next, the holder adds a passkey or confirms a mobile number.",
  identity_check: "Next, an administrator checks the holder’s identity.",
  none: "Every condition is met.",
};

function State({ row }: Pick<RecordEntry, "row">) {
  return (
    <>
      {row.replaced_by !== null && (
        <p class="lead">
          This record was replaced by{" "}
          <a href={`/console/records/${row.replaced_by}`}>
            <code>{row.replaced_by.slice(0, 8)}…</code>
          </a>
          , which corrects it.
        </p>
      )}
      {row.replaces !== null && (
        <p>
          It corrects{" "}
          <a href={`/console/records/${row.replaces}`}>
            <code>{row.replaces.slice(0, 8)}…</code>
          </a>
          .
        </p>
      )}
      {row.deletion_at && (
        <p class="lead">It is closed, and will be deleted on {formatDateTime(row.deletion_at)}.</p>
      )}
    </>
  );
}

function Identity({ record: { row }, refused }: Pick<RecordDetailsProps, "record" | "refused">) {
  return (
    <>
      {row.identity !== null && <Decision title="Checked" {...row.identity} />}
      {row.identity_revoked !== null && <Decision title="Revoked" {...row.identity_revoked} />}
      {row.identity !== null
        ? (
          <NoteForm
            act="revoke"
            label="Reason"
            button="Revoke level 4"
            refused={refused}
          />
        )
        : row.level === 3 && row.replaced_by === null
        ? (
          <NoteForm
            act="check"
            label="How you checked the identity"
            hint="Name the documents that you saw, but do not copy their numbers."
            button="Record an identity check"
            refused={refused}
          />
        )
        : <p>Only a record at level 3 can reach level 4.</p>}
    </>
  );
}

/** Gives a holder who lost the mailbox, phone and passkeys access through a new address. */
function RecoveryPart({ recovery, confirmed, refused }: {
  recovery: Recovery | null;
  confirmed: boolean;
  refused: RecordDetailsProps["refused"];
}) {
  if (recovery !== null) {
    return (
      <>
        <p>
          Started on {formatDateTime(recovery.requested_at)} by {recovery.by}, for {recovery.masked}
          .
        </p>
        <blockquote>{recovery.note}</blockquote>
        <p>
          {recovery.sent_at === null
            ? `The new address gets a link on ${formatDateTime(recovery.due_at)}.`
            : `The link was sent on ${formatDateTime(recovery.sent_at)}.`}
        </p>
        <form method="post">
          <input type="hidden" name="act" value="cancel_recovery" />
          <button type="submit" class="button">Cancel the recovery</button>
        </form>
      </>
    );
  }
  if (!confirmed) return <p>The email address was never confirmed, so nobody has signed in.</p>;
  const own = refused?.act === "recover" ? refused : undefined;
  return (
    <form method="post">
      <p>
        For a holder who has lost their mailbox, phone and passkeys. The confirmed address gets a
        notice. Unless somebody stops the recovery within{" "}
        {plural(RECOVERY_DELAY_MS / HOUR_MS, "hour")}, the new address gets a sign-in link.
      </p>
      <input type="hidden" name="act" value="recover" />
      <Field name="email" label="New address" required problem={own?.issues.email}>
        {(control) => (
          <input
            {...control}
            {...{ defaultValue: own?.email ?? "" }}
            type="email"
            autocomplete="off"
          />
        )}
      </Field>
      <div class="field">
        <label for="recovery-note">How you checked the identity</label>
        <textarea
          id="recovery-note"
          name="note"
          {...{ defaultValue: own?.note ?? "" }}
          rows={3}
          required
          autocomplete="off"
          aria-invalid={own?.issues.note ? "true" : undefined}
          aria-describedby={own?.issues.note && "recovery-note-problem"}
        />
        {own?.issues.note && (
          <span class="problem" id="recovery-note-problem">{own.issues.note}</span>
        )}
      </div>
      <button type="submit" class="button">Start a recovery</button>
    </form>
  );
}

const Decision = ({ title, at, by, note }: IdentityCheck & { title: string }) => (
  <div>
    <p class="muted">{title} on {formatDateTime(at)} by {by}</p>
    <blockquote>{note}</blockquote>
  </div>
);

function NoteForm({ act, label, hint, button, refused }: {
  act: string;
  label: string;
  hint?: string;
  button: string;
  refused: RecordDetailsProps["refused"];
}) {
  const own = refused?.act === act ? refused : undefined;
  return (
    <form method="post">
      <input type="hidden" name="act" value={act} />
      <Field name="note" label={label} hint={hint} required problem={own?.issues.note}>
        {(control) => (
          <textarea
            {...control}
            {...{ defaultValue: own?.note ?? "" }}
            rows={3}
            autocomplete="off"
          />
        )}
      </Field>
      <button type="submit" class={act === "revoke" ? "button danger" : "button primary"}>
        {button}
      </button>
    </form>
  );
}

const whenOf = (at: string | null) => at === null ? "no" : formatDateTime(at);

const Facts = ({ facts }: { facts: [name: string, value: string][] }) => (
  <dl class="facts even">
    {facts.map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);
