import {
  type DocumentRow,
  HASH_CHOICES,
  type IssuerRow,
  MAX_KIND,
  MAX_TITLE,
} from "../../lib/features/documents/mod.ts";
import type { RefusedForm } from "../../lib/platform/http/file_form.ts";
import { Field } from "../Field.tsx";
import { StateNote } from "../StateNote.tsx";

type HashChoice = typeof HASH_CHOICES[number];

const HASH_TEXTS: Record<HashChoice, string> = {
  default: "Decide by the file (default)",
  publish: "Anybody: the hash is on the public page",
  hide: "Only the holder, administrators and people with access",
};

/** The organisations that may have made a document. */
export interface IssuerChoices {
  /** The name of the own organisation. */
  own: string;
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
          {[{ id: "", name: own }, ...issuers].map(({ id, name }) => (
            <option key={id} value={id} selected={id === (refused?.values.issuer ?? "")}>
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
        name="kind"
        label="Kind"
        hint="For example, Certificate or Contract."
        required
        problem={issues.kind}
      >
        {(control) => (
          <input {...control} value={values.kind} maxlength={MAX_KIND} autocomplete="off" />
        )}
      </Field>
      <Field
        name="expires"
        label="Valid until (optional)"
        hint="The document expires at the end of this day (UTC)."
        problem={issues.expires}
      >
        {(control) => <input {...control} type="date" value={values.expires} />}
      </Field>
      <HashField
        name="hash"
        hint={document === undefined
          ? `${GUESSES} By default, only PDFs of 2 KB or more may be confirmed to anybody.`
          : GUESSES}
        value={values.hash}
        choices={document === undefined ? HASH_CHOICES : HASH_CHOICES.slice(1)}
        problem={issues.hash}
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
    kind: document.kind,
    expires: document.expires_at?.slice(0, 10) ?? "",
    hash: document.guessable ? "hide" : "publish",
    public: document.public ? "on" : "",
  };

const GUESSES =
  "If it may be confirmed, anybody who guesses the content, such as a name and a grade in a short " +
  "text, can check the guess. If not, everyone else sees “No published match”, as for an unknown file.";

/** The choice of who may confirm a file by its hash. */
const HashField = (
  { name, hint, value, choices = HASH_CHOICES, problem }: {
    name: string;
    hint: string;
    value?: string;
    choices?: readonly HashChoice[];
    problem?: string;
  },
) => (
  <Field
    name={name}
    label="Who may confirm the file by its hash?"
    hint={hint}
    problem={problem}
  >
    {(control) => (
      <select {...control}>
        {choices.map((choice) => (
          <option key={choice} value={choice} selected={choice === value}>
            {HASH_TEXTS[choice]}
          </option>
        ))}
      </select>
    )}
  </Field>
);

/** The choice for the file of a new version, which applies to the whole document. */
export const VersionFields = ({ refused }: { refused?: RefusedForm }) => (
  <HashField
    name="file_hash"
    hint="This applies to all versions. By default, it stays as it is, but a file other than a PDF of 2 KB or more is confirmed only to readers."
    value={refused?.values.file_hash}
    problem={refused?.issues.file_hash}
  />
);

/**
 * The field for a file, and the question that follows if the file is already registered. The file is
 * the last field, because the server reads it while it arrives.
 */
export function FileField({ refused }: { refused?: RefusedForm }) {
  const { file, again } = refused?.issues ?? {};
  return (
    <>
      {again !== undefined && (
        <>
          <StateNote kind="error" title="Register the same file again?">{again}</StateNote>
          <label class="check">
            <input type="checkbox" name="again" />{" "}
            Yes, register it again. Choose it once more below.
          </label>
        </>
      )}
      <Field name="file" label="File" hint="Any file up to 10 MiB." required problem={file}>
        {(control) => <input {...control} type="file" />}
      </Field>
    </>
  );
}
