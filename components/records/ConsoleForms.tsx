/** The console's forms for a record: identity checks, recovery and deletion. */
import {
  type IdentityCheck,
  type RecordRow,
  type Recovery,
  RECOVERY_DELAY_MS,
} from "../../lib/features/records/mod.ts";
import { formatDateTime, HOUR_MS, plural } from "../../lib/base/time.ts";
import { Field } from "../Field.tsx";
import { Time } from "../Time.tsx";

/** A refused form of the record's page. */
export interface RefusedForm {
  act: string;
  note: string;
  email: string;
  issues: Record<string, string>;
}

/** The identity check of a record, and the form that records or revokes one. */
export function Identity({ row, refused }: { row: RecordRow; refused?: RefusedForm }) {
  return (
    <>
      {row.identity !== null && <Decision title="Checked" {...row.identity} />}
      {row.identity_revoked !== null && <Decision title="Revoked" {...row.identity_revoked} />}
      {row.identity !== null
        ? (
          <details class="choice" open={refused?.act === "revoke"}>
            <summary class="button">Revoke level 4</summary>
            <NoteForm action="revoke" label="Reason" button="Revoke level 4" refused={refused} />
          </details>
        )
        : row.level === 3 && row.replaced_by === null
        ? (
          <NoteForm
            action="check"
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
export function RecoveryPart({ recovery, confirmed, refused }: {
  recovery: Recovery | null;
  confirmed: boolean;
  refused?: RefusedForm;
}) {
  if (recovery !== null) {
    return (
      <>
        <p>
          Started on <Time at={recovery.requested_at} /> by {recovery.by}, for {recovery.masked}
          .
        </p>
        <blockquote class="anywhere">{recovery.note}</blockquote>
        <p>
          {recovery.sent_at === null
            ? `The new address gets a link on ${formatDateTime(recovery.due_at)}.`
            : `The link was sent on ${formatDateTime(recovery.sent_at)}.`}
        </p>
        <details class="choice">
          <summary class="button">Cancel the recovery</summary>
          <form method="post">
            <p>
              The new address gets no link, and a link that was sent no longer works. This can’t be
              undone; a new recovery waits {plural(RECOVERY_DELAY_MS / HOUR_MS, "hour")} again.
            </p>
            <input type="hidden" name="act" value="cancel_recovery" />
            <button type="submit" class="button danger">Cancel the recovery</button>
          </form>
        </details>
      </>
    );
  }
  if (!confirmed) return <p>The email address was never confirmed, so nobody has signed in.</p>;
  const own = refused?.act === "recover" ? refused : undefined;
  return (
    <details class="choice" open={own !== undefined}>
      <summary class="button">Start a recovery</summary>
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
    </details>
  );
}

const Decision = ({ title, at, by, note }: IdentityCheck & { title: string }) => (
  <div>
    <p class="muted">
      {title} on <Time at={at} /> by {by}
    </p>
    <blockquote class="anywhere">{note}</blockquote>
  </div>
);

function NoteForm({ action, label, hint, button, refused }: {
  action: string;
  label: string;
  hint?: string;
  button: string;
  refused?: RefusedForm;
}) {
  const own = refused?.act === action ? refused : undefined;
  return (
    <form method="post">
      <input type="hidden" name="act" value={action} />
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
      <button type="submit" class={action === "revoke" ? "button danger" : "button primary"}>
        {button}
      </button>
    </form>
  );
}

/** Deletes the record and everything about its person, once the administrator confirms it. */
export function DeletePart({ hash, refused }: { hash: string; refused?: RefusedForm }) {
  const digits = hash.slice(0, 8);
  return (
    <details class="choice" open={refused?.act === "delete"}>
      <summary class="button">Delete this record</summary>
      <form method="post">
        <p>
          Immediately deletes everything that is stored about this person: the enquiry, the records
          that this one corrects, documents, access requests, emails, passkeys and sessions. Only
          the chain remains, which contains no personal data. This can’t be undone, and the holder
          gets no notice. If the holder asked by email or letter, compare the sender with the
          record’s address first.
        </p>
        <input type="hidden" name="act" value="delete" />
        <Field
          name="digits"
          label={
            <>
              Enter the first eight digits of the hash, <code>{digits}</code>, to confirm
            </>
          }
          required
          problem={refused?.act === "delete"
            ? refused.issues.digits ?? refused.issues.note
            : undefined}
        >
          {(control) => (
            <input {...control} type="text" autocomplete="off" spellcheck={false} maxlength={64} />
          )}
        </Field>
        <button type="submit" class="button danger">Delete the record</button>
      </form>
    </details>
  );
}
