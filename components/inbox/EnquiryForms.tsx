/** The forms on the page of an enquiry: its state and owner, a reply, and a note. */
import { enquiryPath } from "../../lib/features/inbox/paths.ts";
import { type InboxQuery, NAME_LIMIT, type OpenEnquiry } from "../../lib/features/inbox/mod.ts";
import { Field } from "../Field.tsx";
import type { ShownRefusal } from "./refusal.ts";

interface FormProps {
  enquiry: OpenEnquiry;
  query: InboxQuery;
  refused?: ShownRefusal;
}

const pathOf = ({ enquiry, query }: FormProps, below = "") =>
  enquiryPath(enquiry.row.record, query, below);

const Revision = ({ enquiry: { row } }: Pick<FormProps, "enquiry">) => (
  <input type="hidden" name="revision" value={row.revision} />
);

/** The number with which a form that is sent twice adds one entry. A refused form keeps it. */
const Key = ({ refused, act }: { refused?: ShownRefusal; act: string }) => (
  <input
    type="hidden"
    name="key"
    value={refused?.act === act && refused.key !== "" ? refused.key : crypto.randomUUID()}
  />
);

/** The buttons that change the state and the owner. */
export function StateForms(props: FormProps & { reader: string }) {
  const { enquiry: { row: { state }, owner, operators }, reader } = props;
  const action = pathOf(props);
  const issue = props.refused?.act === "assign" ? props.refused.issues.owner : undefined;
  return (
    <div class="wrap inbox-actions gap-2 middle">
      <form class="cluster gap-2 flush" method="post" action={action}>
        <Revision {...props} />
        <input type="hidden" name="act" value="assign" />
        <div class="field">
          <label class="visually-hidden" for="owner">Owner</label>
          <select id="owner" name="owner" aria-invalid={issue === undefined ? undefined : "true"}>
            <option value="" selected={owner === null}>No owner</option>
            {operators.map((email) => (
              <option key={email} value={email} selected={email === owner}>
                {email === reader ? `${email} (you)` : email}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="button small">Set owner</button>
      </form>
      {owner !== reader && (
        <form class="flush" method="post" action={action}>
          <Revision {...props} />
          <input type="hidden" name="owner" value={reader} />
          <button type="submit" class="button small" name="act" value="assign">Take it</button>
        </form>
      )}
      {(state === "closed" || state === "answered") && (
        <form class="flush" method="post" action={action}>
          <Revision {...props} />
          <button type="submit" class="button small" name="act" value="reopen">Reopen</button>
        </form>
      )}
      {state !== "closed" && (
        <form class="flush" method="post" action={action}>
          <Revision {...props} />
          <button
            type="submit"
            class="button small"
            name="act"
            value="close"
            aria-keyshortcuts="e"
            data-close
          >
            Close
          </button>
        </form>
      )}
    </div>
  );
}

/** The form for a reply. The typed text stays in it if it is refused. */
export function ReplyForm(props: FormProps & { replyName: string | null; reader: string }) {
  const { enquiry, refused, replyName, reader } = props;
  const { record: { contact: { value: { record, confirmed_at } }, row } } = enquiry;
  if (row.deletion_at) {
    return <p class="note">The holder has deleted this record, so it gets no more email.</p>;
  }
  const own = refused?.act === "reply" ? refused : undefined;
  const last = enquiry.entries.at(-1);
  const takenBack = last?.change === "unsent" && last.by === reader ? last.text : "";
  const quoted = confirmed_at === null
    ? "The address is not confirmed, so the email does not quote the enquiry: somebody else may " +
      "have entered it."
    : record.message === undefined
    ? "The address is confirmed."
    : "The address is confirmed, so the email quotes the message.";
  return (
    <form class="inbox-form stack gap-3" method="post" action={pathOf(props, "/reply")} data-reply>
      <Revision {...props} />
      <Key refused={refused} act="reply" />
      <Field
        name="text"
        label={`Reply to ${record.email}`}
        hint={quoted}
        required
        problem={own?.issues.text}
      >
        {(control) => (
          <textarea
            {...control}
            {...{ defaultValue: own?.text ?? takenBack }}
            rows={8}
            aria-keyshortcuts="r"
          />
        )}
      </Field>
      <div class="wrap bottom gap-3">
        {replyName === null || own?.issues.name !== undefined
          ? <NameField name={own?.name ?? replyName ?? ""} problem={own?.issues.name} />
          : (
            <details>
              <summary>You reply as {own?.name ?? replyName}</summary>
              <NameField name={own?.name ?? replyName} />
            </details>
          )}
        <button type="submit" class="button primary">Send reply</button>
      </div>
    </form>
  );
}

/** The operator's name, which the form asks for once. */
const NameField = ({ name, problem }: { name: string; problem?: string }) => (
  <Field
    name="name"
    label="Your name in the email"
    hint="Your later replies have it too."
    required
    problem={problem}
  >
    {(control) => (
      <input
        {...control}
        {...{ defaultValue: name }}
        type="text"
        autocomplete="name"
        maxLength={NAME_LIMIT}
      />
    )}
  </Field>
);

/** The form for a note, which only administrators see until the holder downloads the record. */
export function NoteForm(props: FormProps) {
  const own = props.refused?.act === "note" ? props.refused : undefined;
  return (
    <details class="inbox-note" open={own !== undefined} data-note>
      <summary>Write a note</summary>
      <form class="inbox-form stack gap-3 above-3" method="post" action={pathOf(props)}>
        <Key refused={props.refused} act="note" />
        <input type="hidden" name="act" value="note" />
        <div class="field">
          <label for="note-text">Note</label>
          <span class="hint" id="note-hint">
            The person does not get it, but it is part of what they can download.
          </span>
          <textarea
            id="note-text"
            name="text"
            {...{ defaultValue: own?.text ?? "" }}
            rows={4}
            required
            aria-invalid={own?.issues.text ? "true" : undefined}
            aria-describedby={own?.issues.text ? "note-hint note-problem" : "note-hint"}
          />
          {own?.issues.text && <span class="problem" id="note-problem">{own.issues.text}</span>}
        </div>
        <button type="submit" class="button small">Add note</button>
      </form>
    </details>
  );
}
