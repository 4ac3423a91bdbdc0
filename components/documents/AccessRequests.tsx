import {
  type AccessRequest,
  type DocumentRow,
  formatDocumentId,
  MAX_DECISION_REASON,
  type RequestState,
} from "../../lib/documents/mod.ts";
import { formatDateTime } from "../../lib/time.ts";
import { Problem } from "../records/ActionPage.tsx";
import { BackToRecord, RecordFrame } from "../records/RecordFrame.tsx";
import { Section } from "../records/Section.tsx";
import { StateNote } from "../StateNote.tsx";

const STATES: Record<RequestState, string> = {
  requested: "Not confirmed",
  open: "Waiting for a decision",
  approved: "Approved",
  refused: "Refused",
  expired: "Expired",
  revoked: "Revoked",
};

const BUTTONS = {
  approve: { text: "Approve", class: "button primary" },
  refuse: { text: "Refuse", class: "button" },
  revoke: { text: "Revoke access", class: "button danger" },
} as const;

/** A request with what its document is called. */
export interface TitledRequest {
  request: AccessRequest;
  /** Null if the document does not exist any more. */
  title: string | null;
}

/** Adds the titles of a record's documents to its requests. */
export const withTitles = (
  requests: readonly AccessRequest[],
  documents: readonly DocumentRow[],
): TitledRequest[] =>
  requests.map((request) => ({
    request,
    title: documents.find(({ id }) => id === request.document)?.title ?? null,
  }));

/** A request for access with the form that decides on it. */
export function AccessRequestItem(
  { request, title, action, you }: TitledRequest & {
    /** The path that the form posts to. */
    action: string;
    /** The value of `decided_by` that is the reader of the page. */
    you: string;
  },
) {
  const { id, document, person, state, acts } = request;
  return (
    <article class="access-request" aria-labelledby={`request-${id}`}>
      <h3 id={`request-${id}`}>
        {person.name}
        <span class={state === "open" || state === "approved" ? "pill good" : "pill"}>
          {STATES[state]}
        </span>
      </h3>
      <dl class="facts">
        <dt>Email</dt>
        <dd>{person.email}</dd>
        <dt>Document</dt>
        <dd>
          {title ?? "Deleted"} <code>{formatDocumentId(document)}</code>
        </dd>
        <dt>Reason</dt>
        <dd class="lines">{person.reason}</dd>
        <dt>Asked</dt>
        <dd>{formatDateTime(request.requested_at)}</dd>
        {request.decided_at !== null && (
          <>
            <dt>Decided</dt>
            <dd>
              {formatDateTime(request.decided_at)} by {deciderOf(request, you)}
              {request.decision_reason !== null && <>: “{request.decision_reason}”</>}
            </dd>
          </>
        )}
        {state === "approved" && (
          <>
            <dt>Access</dt>
            <dd>
              until {formatDateTime(request.ends_at!)}, link{" "}
              {request.opened ? "used" : "not used yet"}
            </dd>
          </>
        )}
        <dt>Request</dt>
        <dd>
          <code>{formatDocumentId(id)}</code>
        </dd>
      </dl>
      {acts.length > 0 && (
        <form method="post" action={action}>
          <input type="hidden" name="id" value={id} />
          {state === "open" && (
            <div class="field">
              <label for={`reason-${id}`}>Your reason (optional, sent with the decision)</label>
              <input id={`reason-${id}`} name="reason" maxlength={MAX_DECISION_REASON} />
            </div>
          )}
          <p class="actions">
            {acts.filter((act) => act !== "confirm").map((act) => (
              <button key={act} type="submit" class={BUTTONS[act].class} name="act" value={act}>
                {BUTTONS[act].text}
                <span class="visually-hidden">: {person.name}</span>
              </button>
            ))}
          </p>
        </form>
      )}
    </article>
  );
}

function deciderOf({ decided_by }: AccessRequest, you: string): string {
  if (decided_by === you) return "you";
  return decided_by === "holder"
    ? "the holder"
    : you === "holder"
    ? "an administrator"
    : decided_by!;
}

const ACTION = "/my-record/requests";

/** The requests that the holder can do something about, on the record page. */
export function RequestsSection({ requests }: { requests: readonly TitledRequest[] }) {
  const pending = requests.filter(({ request }) => request.acts.length > 0);
  return (
    <Section id="requests" title="Access requests" lead="Who asked to read your documents.">
      {pending.length === 0
        ? <p class="muted">No request waits for you, and nobody has access.</p>
        : pending.map((each) => (
          <AccessRequestItem key={each.request.id} {...each} action={ACTION} you="holder" />
        ))}
      {requests.length > 0 && (
        <p>
          <a href={ACTION}>All access requests</a>
        </p>
      )}
    </Section>
  );
}

/** Every request for the documents of a record, for its holder. */
export function RequestsPage(
  { requests, problem }: { requests: readonly TitledRequest[]; problem?: string },
) {
  return (
    <RecordFrame title="Access requests">
      <BackToRecord />
      <h1>Access requests</h1>
      <p class="lead">
        Who asked to read your documents, newest first. You or an administrator can decide. Every
        use is in the access log.
      </p>
      <Problem text={problem} />
      {requests.length === 0
        ? <StateNote kind="empty" title="Nobody has asked for access" />
        : requests.map((each) => (
          <AccessRequestItem key={each.request.id} {...each} action={ACTION} you="holder" />
        ))}
    </RecordFrame>
  );
}
