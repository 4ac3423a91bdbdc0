/** The pages on which a stranger asks to read a document: the form, and the note that a mail was sent. */
import {
  DECISION_LIFETIME_MS,
  documentPath,
  formatDocumentId,
  GRANT_LIFETIME_MS,
  MAX_REQUEST_REASON,
  MAX_REQUESTER_NAME,
  REQUEST_KEPT_MS,
} from "../../lib/features/documents/mod.ts";
import type { Problem as RequestProblem } from "../../lib/platform/http/errors.ts";
import { DAY_MS, plural } from "../../lib/base/time.ts";
import { Field } from "../Field.tsx";
import { Problem } from "../ActionPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { AccessPage } from "./AccessPage.tsx";

const days = (ms: number) => plural(ms / DAY_MS, "day");

const BESIDE: readonly BesidePart[] = [
  {
    title: "What happens next",
    text: "We send you a link to confirm your email address. Then the holder of the record or an " +
      `administrator decides. If nobody decides within ${
        days(DECISION_LIFETIME_MS)
      }, the request ` +
      "expires.",
  },
  {
    title: "What you get",
    text: `If the request is approved, you can read the document for ${days(GRANT_LIFETIME_MS)}.`,
  },
  {
    title: "Who sees what you enter",
    text: (
      <p>
        The holder and administrators. We delete it {days(REQUEST_KEPT_MS)}{" "}
        after the request has ended. <a href="/privacy">Privacy</a>
      </p>
    ),
  },
];

export interface RequestAccessProps {
  /** The id of the document, whether or not it exists. */
  document: string;
  values?: Record<string, string>;
  problem?: RequestProblem;
}

/** The form that asks for access to a document. It is the same for every id. */
export function RequestAccessPage(
  { document, values = {}, problem }: RequestAccessProps,
) {
  const { issues = {} } = problem ?? {};
  return (
    <AccessPage title="Request access" beside={BESIDE}>
      <p class="lead">
        Ask for access to document <code>{formatDocumentId(document)}</code>.
      </p>
      <Problem text={problem?.issues ? "Please check the form." : problem?.message} />
      <form class="record-form" method="post" action={`${documentPath(document)}/request`}>
        <Field name="name" label="Your name" required problem={issues.name}>
          {(control) => (
            <input
              {...control}
              maxlength={MAX_REQUESTER_NAME}
              autocomplete="name"
              value={values.name}
            />
          )}
        </Field>
        <Field
          name="email"
          label="Email"
          hint="If the request is approved, the link goes to this address."
          required
          problem={issues.email}
        >
          {(control) => (
            <input {...control} type="email" autocomplete="email" value={values.email} />
          )}
        </Field>
        <Field
          name="reason"
          label="Why you need the document"
          hint={`At most ${MAX_REQUEST_REASON} characters.`}
          required
          problem={issues.reason}
        >
          {(control) => (
            <textarea
              {...control}
              {...{ defaultValue: values.reason }}
              rows={4}
              maxlength={MAX_REQUEST_REASON}
            />
          )}
        </Field>
        <button type="submit" class="button primary">Request access</button>
      </form>
    </AccessPage>
  );
}

/** The response to every request, whether or not a mail was sent. */
export function RequestSentPage({ document, email }: { document: string; email: string }) {
  return (
    <AccessPage title="Check your email">
      <p class="lead">
        If document <code>{formatDocumentId(document)}</code> exists, we have sent an email to{" "}
        <strong>{email}</strong>. Open the link in it to confirm your address.
      </p>
      <p>
        You get no new email if you asked for this document a few minutes ago, or if your request
        for it is waiting for a decision.
      </p>
      <p>
        <a href={documentPath(document)}>Back to the document</a>
      </p>
    </AccessPage>
  );
}
