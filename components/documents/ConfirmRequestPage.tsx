/** The pages on which a stranger confirms a request to read a document by its mailed link. */
import {
  DECISION_LIFETIME_MS,
  documentPath,
  formatDocumentId,
  GRANT_LIFETIME_MS,
  type OpenConfirmation,
  requestPath,
} from "../../lib/features/documents/mod.ts";
import { DAY_MS, plural } from "../../lib/base/time.ts";
import { LinkFields, MailedLinkPage } from "../MailedLinkPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";

const DECISION_DAYS = plural(DECISION_LIFETIME_MS / DAY_MS, "day");

const IF_APPROVED: readonly BesidePart[] = [
  {
    title: "If the request is approved",
    text: `We email you a link. You can then read the document for ${
      plural(GRANT_LIFETIME_MS / DAY_MS, "day")
    }.`,
  },
  {
    title: "Who sees your request",
    text: "The holder of the record and administrators.",
  },
];

const AFTER_CONFIRMING: readonly BesidePart[] = [
  {
    title: "What happens next",
    text: "The holder of the record or an administrator decides. If nobody decides within " +
      `${DECISION_DAYS}, the request expires.`,
  },
  ...IF_APPROVED,
];

/** The page behind the link that confirms the address of a request. Only its button confirms it. */
export function ConfirmRequestPage({ opened, token, named }: {
  opened: OpenConfirmation;
  token: string;
  /** The document that the link names. */
  named: string | null;
}) {
  if (!opened.ok) return <NotConfirmed error={opened.error} document={named} />;
  const { document, person } = opened.request;
  return (
    <MailedLinkPage state="open" title="Confirm your request" beside={AFTER_CONFIRMING}>
      <p class="lead">
        You asked for access to document <code>{formatDocumentId(document)}</code>.
      </p>
      <dl class="facts even">
        <dt>Name</dt>
        <dd>{person.name}</dd>
        <dt>Email</dt>
        <dd>{person.email}</dd>
        <dt>Reason</dt>
        <dd class="lines">{person.reason}</dd>
      </dl>
      <form class="record-form" method="post" action={requestPath(document)}>
        <LinkFields token={token} />
        <button type="submit" class="button primary">Confirm and send the request</button>
      </form>
      <p class="muted">
        If you did not ask for this, close the page. The request is not sent, and we delete it.
      </p>
    </MailedLinkPage>
  );
}

/** The page after the address was confirmed. */
export function ConfirmedRequestPage(
  { result, named }: { result: OpenConfirmation; named: string | null },
) {
  if (!result.ok) return <NotConfirmed error={result.error} document={named} />;
  return (
    <MailedLinkPage state="used" title="Your request was sent" beside={IF_APPROVED}>
      <p class="lead">
        Your address is confirmed. The holder of the record and an administrator can now see your
        request for document <code>{formatDocumentId(result.request.document)}</code>.
      </p>
      <p>
        We will email you the decision. If nobody decides, the request expires in {DECISION_DAYS}.
      </p>
      <ToDocument document={result.request.document} />
    </MailedLinkPage>
  );
}

function NotConfirmed({ error, document }: {
  error: "not_found" | "used" | "rate_limited";
  document: string | null;
}) {
  if (error === "rate_limited") {
    return (
      <MailedLinkPage state="other" title="Not confirmed yet">
        <p class="lead">
          Too many requests for this document were confirmed today, so yours was not sent. Open the
          link in your email again tomorrow.
        </p>
      </MailedLinkPage>
    );
  }
  return error === "used"
    ? (
      <MailedLinkPage state="used" title="Already confirmed">
        <p class="lead">
          Your address is already confirmed, and your request was sent. We will email you the
          decision.
        </p>
        <ToDocument document={document} />
      </MailedLinkPage>
    )
    : (
      <MailedLinkPage state="other" title="This link does not work">
        <p class="lead">
          It has expired, or a newer email has replaced it. Open the link in the newest email, or
          request access again on the document's page.
        </p>
        <ToDocument document={document} />
      </MailedLinkPage>
    );
}

/**
 * Leads on from a link that no longer works. Mails from before links named the document have none, so
 * its number is asked for.
 */
const ToDocument = ({ document }: { document: string | null }) => (
  <p class="actions">
    {document === null
      ? <a class="button primary" href="/d">Find the document by its number</a>
      : <a class="button primary" href={documentPath(document)}>Open the document's page</a>}
  </p>
);
