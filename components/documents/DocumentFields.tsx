/** The fields of the console's forms that add, replace or withdraw a document. */
import type { IssuerRow } from "../../lib/features/issuers/mod.ts";
import {
  type DocumentRow,
  HASH_CHOICES,
  MAX_KIND,
  MAX_REASON,
  MAX_TITLE,
  REASON_HINT,
} from "../../lib/features/documents/mod.ts";
import type { RefusedForm } from "../../lib/platform/http/file_form.ts";
import { Field } from "../Field.tsx";
import { StateNote } from "../StateNote.tsx";
import { SUGGESTED_KINDS } from "./texts.ts";

type HashChoice = typeof HASH_CHOICES[number];

const STRANGERS =
  "Everyone else who checks the file sees “No published match”, as for an unknown file.";

/** The choices with their effects, that of `default` being the form's. */
const HASH_TEXTS: Record<HashChoice, { name: string; effect?: string }> = {
  default: { name: "Depends on the file" },
  publish: { name: "Anybody", effect: "The hash is on the document's public page." },
  hide: { name: "Only the holder, administrators and people with access", effect: STRANGERS },
};

/** The organisations that may have made a document. */
export interface IssuerChoices {
  /** The name of the own organisation. */
  own: string;
  /** The own organisation is the first one. */
  issuers: readonly IssuerRow[];
}

/** The choice of the organisation that made a document. */
export const IssuerField = (
  { own, issuers, refused }: IssuerChoices & { refused?: RefusedForm },
) => (
  <Field
    name="issuer"
    label="Issuer"
    hint={`The organisation that made the document. ${own} registers it.`}
    problem={refused?.issues.issuer}
  >
    {(control) => (
      <>
        <select {...control}>
          {issuers.map(({ id, name }) => (
            <option key={id} value={id} selected={id === refused?.values.issuer}>
              {name}
            </option>
          ))}
        </select>
        <a class="text-small" href="/console/issuers">Add an issuer</a>
      </>
    )}
  </Field>
);

export function DocumentFields(
  { document, refused }: { document?: DocumentRow; refused?: RefusedForm },
) {
  const values = refused?.values ?? valuesOf(document);
  const issues = refused?.issues ?? {};
  return (
    <>
      <Field name="title" label="Title" required problem={issues.title}>
        {(control) => (
          <input {...control} value={values.title} maxlength={MAX_TITLE} autocomplete="off" />
        )}
      </Field>
      <Field
        name="type"
        label="Kind"
        hint="For example, Certificate or Contract."
        required
        problem={issues.type}
      >
        {(control) => (
          <>
            <input
              {...control}
              value={values.type}
              maxlength={MAX_KIND}
              autocomplete="off"
              list="document-kinds"
            />
            <datalist id="document-kinds">
              {SUGGESTED_KINDS.map((kind) => <option key={kind} value={kind} />)}
            </datalist>
          </>
        )}
      </Field>
      <Field
        name="expires_on"
        label="Valid until (optional)"
        hint="The document expires at the end of this day (UTC)."
        problem={issues.expires_on}
      >
        {(control) => <input {...control} type="date" value={values.expires_on} />}
      </Field>
      <HashField
        name="publish_hash"
        byDefault={`By default, only PDFs of 2 KB or more may be confirmed to anybody. ${STRANGERS}`}
        value={values.publish_hash}
        choices={document === undefined ? HASH_CHOICES : HASH_CHOICES.slice(1)}
        problem={issues.publish_hash}
      />
      <label class="check">
        <input type="checkbox" name="public" checked={values.public === "on"} />{" "}
        Show the title to everyone who opens the public page
      </label>
    </>
  );
}

const valuesOf = (document: DocumentRow | undefined): Record<string, string> =>
  document === undefined ? {} : {
    title: document.title,
    type: document.kind,
    expires_on: document.expires_at?.slice(0, 10) ?? "",
    publish_hash: document.guessable ? "hide" : "publish",
    public: document.public ? "on" : "",
  };

/** Why not everybody may confirm every file. */
const GUESSES =
  "Anybody who may confirm it can also test a guess of its content, such as a name and a grade in a " +
  "short text.";

/** The choice of who may confirm a file by its hash. */
const HashField = (
  { name, value = HASH_CHOICES[0], choices = HASH_CHOICES, byDefault, problem }: {
    name: string;
    value?: string;
    choices?: readonly HashChoice[];
    /** The effect of the first choice. */
    byDefault: string;
    problem?: string;
  },
) => {
  const id = `field-${name}`;
  return (
    <fieldset class="field" aria-describedby={`${id}-hint${problem ? ` ${id}-problem` : ""}`}>
      <legend>Who may confirm the file by its hash?</legend>
      <span class="hint" id={`${id}-hint`}>{GUESSES}</span>
      {choices.map((choice) => (
        <label class="check" key={choice}>
          <input type="radio" name={name} value={choice} checked={choice === value} />
          <span>
            {HASH_TEXTS[choice].name}
            <span class="hint">{HASH_TEXTS[choice].effect ?? byDefault}</span>
          </span>
        </label>
      ))}
      {problem !== undefined && <span class="problem" id={`${id}-problem`}>{problem}</span>}
    </fieldset>
  );
};

/** The reason of a withdrawal. */
export const ReasonField = ({ label, refused }: { label: string; refused?: RefusedForm }) => (
  <Field
    name="reason"
    label={label}
    hint={REASON_HINT}
    required
    problem={refused?.issues.reason}
  >
    {(control) => (
      <input
        {...control}
        value={refused?.values.reason}
        maxlength={MAX_REASON}
        autocomplete="off"
      />
    )}
  </Field>
);

/** The choice for the file of a new version, which applies to the whole document. */
export const VersionFields = ({ refused }: { refused?: RefusedForm }) => (
  <HashField
    name="file_hash"
    byDefault="The present choice stays, except that a new file other than a PDF of 2 KB or more is confirmed only to people with access. The choice applies to all versions."
    value={refused?.values.file_hash}
    problem={refused?.issues.file_hash}
  />
);

/**
 * The field for a file, and the question that follows if the file is already registered. The file is
 * the last field, because the server reads it while it arrives. With the question, it is kept.
 */
export function FileField({ refused }: { refused?: RefusedForm }) {
  const { file, again, parts } = refused?.issues ?? {};
  const kept = file === undefined ? stagedOf(refused) : null;
  return (
    <>
      {again !== undefined && (
        <>
          <StateNote kind="error" title="Register the same file again?">{again}</StateNote>
          <label class="check above-4">
            <input type="checkbox" name="again" required /> Yes, register it again
          </label>
        </>
      )}
      {parts !== undefined && (
        <>
          <StateNote kind="error" title="Leave something out?">{parts}</StateNote>
          <label class="check above-4">
            <input type="checkbox" name="parts" required /> Yes, issue the copy without it
          </label>
        </>
      )}
      {kept !== null && (
        <>
          {/* What was answered before the last question. */}
          {["again", "parts"].map((name) =>
            refused?.values[name] === "on" && refused.issues[name] === undefined &&
            <input type="hidden" name={name} value="on" key={name} />
          )}
          <input type="hidden" name="staged" value={kept.staged} />
          <input type="hidden" name="staged_name" value={kept.name} />
          <p class="anywhere">
            File: <strong>{kept.name}</strong>. It is uploaded, so you need not choose it again.
          </p>
        </>
      )}
      <Field
        name="file"
        label={kept === null ? "File" : "Another file (optional)"}
        hint="Any file up to 10 MiB. The issued copy of a PDF leaves out its metadata."
        required={kept === null}
        problem={file}
      >
        {(control) => <input {...control} type="file" />}
      </Field>
    </>
  );
}

/** Returns the file that is kept for a refused form, with its name. */
function stagedOf(refused: RefusedForm | undefined): { staged: string; name: string } | null {
  const { details = {}, values = {} } = refused ?? {};
  const staged = details.staged ?? values.staged;
  const name = details.file_name ?? values.staged_name;
  return typeof staged === "string" && staged !== "" && typeof name === "string"
    ? { staged, name }
    : null;
}
