import {
  type DocumentRow,
  HASH_CHOICES,
  MAX_KIND,
  MAX_TITLE,
} from "../../lib/features/documents/mod.ts";
import type { RefusedForm } from "../../lib/platform/http/file_form.ts";
import { Field } from "../Field.tsx";

const HASH_TEXTS: Record<typeof HASH_CHOICES[number], string> = {
  default: "Default",
  publish: "Publish",
  hide: "Do not publish",
};

export function DocumentFields(
  { document, refused }: { document?: DocumentRow; refused?: RefusedForm },
) {
  const values = refused?.values ?? valuesOf(document);
  const issues = refused?.issues ?? {};
  const choices = document === undefined ? HASH_CHOICES : HASH_CHOICES.slice(1);
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
      <Field
        name="hash"
        label="Hash on the public page"
        hint="If someone can guess the content, the hash confirms the guess. By default, only the hashes of PDFs of 2 KB or more are published."
        problem={issues.hash}
      >
        {(control) => (
          <select {...control}>
            {choices.map((choice) => (
              <option key={choice} value={choice} selected={choice === values.hash}>
                {HASH_TEXTS[choice]}
              </option>
            ))}
          </select>
        )}
      </Field>
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

/** The field for a file. It is the last one, because the server reads it while it arrives. */
export const FileField = ({ problem }: { problem?: string }) => (
  <Field name="file" label="File" hint="Any file up to 10 MiB." required problem={problem}>
    {(control) => <input {...control} type="file" />}
  </Field>
);
