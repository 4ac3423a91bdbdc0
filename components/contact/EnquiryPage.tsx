/** The contact form without scripts, and the page that shows it again after it was refused. */
import { CONFIG, titleOf } from "../../lib/features/contact/config.ts";
import type { FormValues } from "../../lib/features/contact/fields.ts";
import type { Problem } from "../../lib/platform/http/errors.ts";
import { ContactPage } from "./ContactPage.tsx";
import { Fields, idOf } from "./Fields.tsx";

const { COPY, FIELDS } = CONFIG;

export interface EnquiryFormProps {
  action: string;
  values?: FormValues;
  issues?: Record<string, string>;
  /** ISO 8601. Forms that are sent too soon after this time are treated as sent by bots. */
  renderedAt: string;
  /** Unique for each opening of the form, so that sending it twice registers it only once. */
  idempotencyKey: string;
  /** True if there is a bot challenge. It needs scripts, so this form cannot be sent then. */
  challenge?: boolean;
  /** The page that says what is stored. */
  privacy?: string;
}

/**
 * The contact form for pages without scripts (spec 2.8): the same fields, in a form that is posted
 * and that the server checks.
 */
export function EnquiryForm(
  { action, values = {}, issues = {}, renderedAt, idempotencyKey, challenge = false, privacy }:
    EnquiryFormProps,
) {
  return (
    <form class="enquiry above-5" method="post" action={action} noValidate>
      <Fields values={values} issues={issues} />
      <input type="hidden" name="idempotency_key" value={idempotencyKey} />
      <input type="hidden" name="rendered_at" value={renderedAt} />
      {challenge
        ? (
          <p class="enquiry-note pad-3-4 raised" role="note">
            Sending needs scripts, because a bot check protects this form. Allow scripts for this
            page and reload it.
          </p>
        )
        : <button type="submit" class="button primary">{COPY.SUBMIT}</button>}
      <p class="muted">
        {COPY.FOOTER} {COPY.LOGGED}
        {privacy !== undefined && (
          <>
            {" "}
            <a href={privacy}>{COPY.PRIVACY}</a>
          </>
        )}
      </p>
    </form>
  );
}

/** The form after it was refused, with what was wrong and everything that was typed. */
export function EnquiryPage(
  { organisation, back, problem, form }: {
    /** The name of the organisation that the enquiry belongs to. */
    organisation: string;
    /** The address of the site with the form; null if it is unknown. */
    back: string | null;
    problem: Problem;
    form: Omit<EnquiryFormProps, "issues">;
  },
) {
  const heading = titleOf(organisation);
  const { code, message, issues } = problem;
  const title = issues !== undefined
    ? COPY.PROBLEM_TITLE
    : code === "idempotency_mismatch"
    ? COPY.CONFLICT_TITLE
    : COPY.FAILURE_TITLE;
  return (
    <ContactPage title={`${title} · ${heading}`} {...{ heading, back }}>
      <div class="enquiry-problem pad-4-5 round raised" role="alert" tabindex={-1} autofocus>
        <h2 class="below-2 text-large">{title}</h2>
        {issues === undefined
          ? <p>{code === "challenge_failed" ? COPY.FAILURES.challenge_missing : message}</p>
          : (
            <ul>
              {Object.entries(issues).map(([name, text]) => (
                <li key={name}>
                  <Issue name={name} text={text} />
                </li>
              ))}
            </ul>
          )}
      </div>
      <EnquiryForm {...form} issues={issues} />
    </ContactPage>
  );
}

function Issue({ name, text }: { name: string; text: string }) {
  const field = FIELDS.find((field) => field.name === name);
  return field === undefined ? <>{text}</> : <a href={`#${idOf(field)}`}>{text}</a>;
}
