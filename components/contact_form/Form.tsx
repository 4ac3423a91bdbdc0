import { useRef } from "preact/hooks";
import { CONFIG } from "../../lib/contact/config.ts";
import type { FieldName } from "./draft.ts";
import { idOf, Problem } from "./Field.tsx";
import { Fields } from "./Fields.tsx";
import { ProblemSummary } from "./ProblemSummary.tsx";
import type { Submission } from "./useSubmission.ts";

const { COPY } = CONFIG;

/** The form; what it sends and what comes of that is its submission's. */
export function Form({ submission }: { submission: Submission }) {
  const { draft, setDraft, failure, issues, busy, submit, challenge } = submission;
  const form = useRef<HTMLFormElement>(null);
  const focusField = (field: FieldName) =>
    field === "challenge"
      ? challenge.focus()
      : form.current!.querySelector<HTMLElement>(`#${idOf(field)}`)?.focus();
  return (
    <form
      ref={form}
      noValidate
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {failure && (
        <ProblemSummary
          failure={failure}
          onField={focusField}
          onSendAsNew={() => submit({ asNew: true })}
        />
      )}
      <Fields draft={draft} onDraft={setDraft} issues={issues} busy={busy} />
      <slot name="challenge" />
      <Problem name="challenge" text={issues.challenge} />
      <button type="submit" class="button primary" aria-disabled={busy || undefined}>
        {busy ? COPY.SUBMITTING : COPY.SUBMIT}
      </button>
      <p class="footer">{COPY.FOOTER}</p>
    </form>
  );
}
