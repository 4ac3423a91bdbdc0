/** The requests of strangers to read a document, as its holder and administrators see and decide them. */
import {
  type AccessRequest,
  documentPath as pathOf,
  formatDocumentId,
  MAX_DECISION_REASON,
  type RequestState,
} from "../../lib/features/documents/mod.ts";
import type { Problem as RequestProblem } from "../../lib/platform/http/errors.ts";
import { plural } from "../../lib/base/time.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { ActionForms } from "../ActionForms.tsx";
import { Problem } from "../ActionPage.tsx";
import { ActionResult } from "../ActionResult.tsx";
import { BackToRecord, type BesidePart, RecordFrame } from "../RecordFrame.tsx";
import { Section } from "../Section.tsx";
import { StateNote } from "../StateNote.tsx";
import { Time } from "../Time.tsx";

const STATES: Record<RequestState, string> = {
  requested: "Not confirmed",
  open: "Waiting for a decision",
  approved: "Approved",
  refused: "Refused",
  expired: "Expired",
  revoked: "Revoked",
  withdrawn: "Document withdrawn",
  document_expired: "Document expired",
};

const PILLS: Partial<Record<RequestState, string>> = { open: "warn", approved: "good" };

/** A request for access with the form that decides on it. */
export function AccessRequestItem(
  {
    request,
    action,
    you,
    documentPath,
    recordPath,
    holder,
    heading: Heading = "h3",
    isCard = true,
  }: {
    request: AccessRequest;
    /** The path that the form posts to. */
    action: string;
    /** The value of `decided_by` that is the reader of the page. */
    you: string;
    /** The path of the document's page for the reader. */
    documentPath: string;
    /** The path of the record's page, for administrators. */
    recordPath?: string;
    /** The name of the record's holder, for administrators. */
    holder?: string;
    /** The element of its heading; null if the page has one, whose id is `request-<id>`. */
    heading?: "h2" | "h3" | null;
    /** False if it is part of another card, whose place the result takes. */
    isCard?: boolean;
  },
) {
  const { id, document, title, person, state, actions } = request;
  return (
    <article
      class="access-request lined"
      aria-labelledby={`request-${id}`}
      data-card={isCard || undefined}
    >
      {Heading !== null && (
        <Heading id={`request-${id}`}>
          {person.name} <span class={`pill ${PILLS[state] ?? ""}`}>{STATES[state]}</span>
        </Heading>
      )}
      <dl class="facts">
        <dt>Email</dt>
        <dd>{person.email}</dd>
        <dt>Document</dt>
        <dd>
          {title === null ? "Deleted" : <a href={documentPath}>{title}</a>}{" "}
          <code>{formatDocumentId(document)}</code>
        </dd>
        {recordPath !== undefined && (
          <>
            <dt>Record</dt>
            <dd>
              <a href={recordPath}>
                {holder} <code>{request.record.slice(0, 8)}…</code>
              </a>
            </dd>
          </>
        )}
        <dt>Reason</dt>
        <dd class="lines">{person.reason}</dd>
        <dt>Asked</dt>
        <dd>
          <Time at={request.requested_at} />
        </dd>
        {request.decided_at !== null && (
          <>
            <dt>Decided</dt>
            <dd>
              <Time at={request.decided_at} /> by {deciderOf(request, you)}
              {request.decision_reason !== null && <>: “{request.decision_reason}”</>}
            </dd>
          </>
        )}
        {request.ended_at !== null && (
          <>
            <dt>Ended</dt>
            <dd>
              <Time at={request.ended_at} />: the document{" "}
              {state === "withdrawn" ? "was withdrawn" : "expired"}
            </dd>
          </>
        )}
        {state === "approved" && (
          <>
            <dt>Access</dt>
            <dd>
              until <Time at={request.ends_at!} />, link {request.opened ? "used" : "not used yet"}
            </dd>
          </>
        )}
        <dt>Request</dt>
        <dd>
          <code>{formatDocumentId(id)}</code>
        </dd>
      </dl>
      {actions.length > 0 && (
        <form class="above-4" method="post" action={action}>
          <input type="hidden" name="id" value={id} />
          {actions.includes("revoke")
            ? <Revoke name={person.name} again={AGAIN[state]} />
            : <Decide id={id} name={person.name} mayApprove={actions.includes("approve")} />}
        </form>
      )}
    </article>
  );
}

/** The beginning of the sentence about revoking: changes that would give access again. */
const AGAIN: Partial<Record<RequestState, string>> = {
  withdrawn: "Even if the document gets a new version, ",
  document_expired: "Even if the document’s date is changed, ",
};

const Decide = (
  { id, name, mayApprove }: { id: string; name: string; mayApprove: boolean },
) => (
  <>
    <div class="field">
      <label for={`reason-${id}`}>Your reason (optional, sent with the decision)</label>
      <input id={`reason-${id}`} name="reason" maxlength={MAX_DECISION_REASON} />
    </div>
    <p class="actions">
      {mayApprove && (
        <button type="submit" class="button primary" name="act" value="approve" data-inline>
          Approve for {name}
        </button>
      )}
      <button type="submit" class="button" name="act" value="refuse" data-inline>
        Refuse for {name}
      </button>
    </p>
  </>
);

/** @param again the beginning of the sentence, for a document that has ended */
const Revoke = ({ name, again = "" }: { name: string; again?: string }) => (
  <details class="choice">
    <summary class="button small">Revoke access</summary>
    <p class="above-3">
      {again}
      {name} can no longer read the document, and has to ask again. This can’t be undone.
    </p>
    <button type="submit" class="button danger" name="act" value="revoke" data-inline>
      Revoke access for {name}
    </button>
  </details>
);

function deciderOf({ decided_by }: AccessRequest, you: string): string {
  if (decided_by === you) return "you";
  return decided_by === "holder"
    ? "the holder"
    : you === "holder"
    ? "an administrator"
    : decided_by!;
}

const ACTION = "/my-record/requests";

/** A note at the top of the record page that requests are waiting for the holder. */
export function RequestsNote({ requests }: { requests: readonly AccessRequest[] }) {
  const count = requests.filter(({ state }) => state === "open").length;
  if (count === 0) return null;
  return (
    <p class="requests-note pad-3-4 round raised">
      <a href="#requests">{plural(count, "access request")}</a> {count === 1 ? "is" : "are"}{" "}
      waiting for your decision.
    </p>
  );
}

/** A request that needs no decision: one line until it is opened. */
const FoldedRequest = ({ request }: { request: AccessRequest }) => (
  <details class="fold ruled">
    <summary>
      <h3 class="text-medium flush" id={`request-${request.id}`}>{request.person.name}</h3>{" "}
      <span class="muted text-medium">
        {request.title ?? "Deleted document"} · {STATES[request.state]}
        {request.state === "approved" && (
          <>
            {" "}until <Time at={request.ends_at!} day />
          </>
        )}
      </span>
    </summary>
    <AccessRequestItem {...ownRequest(request)} heading={null} />
  </details>
);

/** The properties of a request on the pages of its record's holder. */
const ownRequest = (request: AccessRequest) => ({
  request,
  action: ACTION,
  you: "holder",
  documentPath: pathOf(request.document),
});

/** The open and approved requests, and those whose document has ended, on the record page. */
export function RequestsSection({ requests }: { requests: readonly AccessRequest[] }) {
  const open = requests.filter(({ state }) => state === "open");
  const others = [
    ...requests.filter(({ state }) => state === "approved"),
    ...requests.filter(({ ended_at }) => ended_at !== null),
  ];
  const isEmpty = open.length + others.length === 0;
  return (
    <Section
      id="requests"
      title="Access requests"
      lead={isEmpty ? undefined : "Requests to read your documents."}
    >
      {isEmpty && <p class="muted">There are no open requests, and nobody has access.</p>}
      {open.map((request) => <AccessRequestItem key={request.id} {...ownRequest(request)} />)}
      {others.map((request) => <FoldedRequest key={request.id} request={request} />)}
      {requests.length > 0 && (
        <p>
          <a href={ACTION}>All access requests</a>
        </p>
      )}
      <ActionForms />
    </Section>
  );
}

const BESIDE: readonly BesidePart[] = [
  {
    title: "Who decides",
    text: "You or an administrator. Until one of you approves, the reader sees nothing.",
  },
  {
    title: "What you can follow",
    text: (
      <p>
        Your <a href="/my-record/log">access log</a> shows every time a document is read.
      </p>
    ),
  },
];

/** Every request for the documents of a record, for its holder. */
export function RequestsPage(
  { requests, result, problem }: {
    requests: readonly AccessRequest[];
    /** The result of the decision that led here. */
    result: ShownResult | null;
    problem?: RequestProblem;
  },
) {
  const isOpen = ({ state }: AccessRequest) => state === "open";
  const sorted = [...requests.filter(isOpen), ...requests.filter((request) => !isOpen(request))];
  return (
    <RecordFrame title="Access requests" styles="record_action" beside={BESIDE}>
      <BackToRecord />
      <h1>Access requests</h1>
      <p class="lead">
        Requests to read your documents. Those waiting for a decision come first.
      </p>
      {result !== null && <ActionResult result={result} action={ACTION} />}
      <Problem text={problem?.issues?.reason ?? problem?.message} />
      {requests.length === 0
        ? <StateNote kind="empty" title="Nobody has asked for access" />
        : (
          <div class="access-requests stack gap-4 above-5">
            {sorted.map((request) => (
              <AccessRequestItem key={request.id} {...ownRequest(request)} heading="h2" />
            ))}
          </div>
        )}
      <ActionForms />
    </RecordFrame>
  );
}
