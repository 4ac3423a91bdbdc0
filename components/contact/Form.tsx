/** The contact form with scripts: fields, bot challenge, button, and a summary of problems. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { CONFIG } from "../../lib/features/contact/config.ts";
import { type IssueName, ISSUES } from "./draft.ts";
import { Fields, idOf } from "./Fields.tsx";
import type { Failure } from "./register.ts";
import type { Submission } from "./useSubmission.ts";

const { COPY, FIELDS } = CONFIG;

/** The form in the browser, which `useSubmission` sends. */
export function Form({ submission, privacy }: { submission: Submission; privacy?: string }) {
  const { setDraft, submit, challenge } = submission;
  const failure = submission.failure.value;
  const issues = submission.issues.value;
  const busy = submission.busy.value;
  const form = useRef<HTMLFormElement>(null);
  const focusField = (issue: IssueName) =>
    issue === "challenge"
      ? challenge.focus()
      : form.current!.querySelector<HTMLElement>(`#${issueId(issue)}`)?.focus();
  return (
    <form
      ref={form}
      noValidate
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        submit().catch(reportError);
      }}
    >
      {failure && (
        <ProblemSummary
          {...{ failure, issues }}
          onField={focusField}
          onSendAsNew={() => submit({ asNew: true })}
        />
      )}
      <Fields values={submission.draft.value} onChange={setDraft} issues={issues} busy={busy} />
      <slot name="challenge" />
      {issues.challenge && <span class="problem">{issues.challenge}</span>}
      <button type="submit" class="button primary" aria-disabled={busy || undefined}>
        {busy ? COPY.SUBMITTING : COPY.SUBMIT}
      </button>
      <p class="footer">
        {COPY.FOOTER} {COPY.LOGGED}
        {privacy !== undefined && (
          <>
            {" "}
            <a class="privacy" href={privacy} target="_blank" rel="noopener">{COPY.PRIVACY}</a>
          </>
        )}
      </p>
    </form>
  );
}

const issueId = (issue: IssueName) => {
  const field = FIELDS.find(({ name }) => name === issue);
  return field && idOf(field);
};

/** The problems of a refused form that are not corrected yet. */
function ProblemSummary({ failure, issues, onField, onSendAsNew }: {
  failure: Failure;
  issues: Submission["issues"]["value"];
  onField: (issue: IssueName) => void;
  onSendAsNew: () => void;
}) {
  const summary = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => summary.current?.focus(), [failure]);
  const { title, text } = failure;
  const listed = ISSUES.filter((issue) => issues[issue] !== undefined);
  if (text === "" && listed.length === 0) return null;
  return (
    <div ref={summary} class="summary" tabindex={-1} role="group" aria-labelledby="summary-title">
      <strong id="summary-title">{title}</strong>
      {text !== "" && <p>{text}</p>}
      {listed.length > 0 && (
        <ul>
          {listed.map((issue) => (
            <li key={issue}>
              <a
                href={`#${issueId(issue) ?? issue}`}
                onClick={(event) => {
                  event.preventDefault(); // fragment links do not work inside the shadow root
                  onField(issue);
                }}
              >
                {issues[issue]}
              </a>
            </li>
          ))}
        </ul>
      )}
      {failure.conflict && (
        <button type="button" class="button small" onClick={onSendAsNew}>
          {COPY.SEND_AS_NEW}
        </button>
      )}
    </div>
  );
}
