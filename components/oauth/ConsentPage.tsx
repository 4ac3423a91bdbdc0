/** The pages that ask a holder to approve or deny an app's connection, and those for its failures. */
import type { ComponentChildren } from "preact";
import { Head } from "fresh/runtime";
import { ownerOf } from "../../lib/features/contact/mod.ts";
import { allowedBy, type ConnectionProblem, purposeOf } from "../../lib/features/oauth/mod.ts";
import type { RecordEntry } from "../../lib/features/records/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { groupsOf } from "../RecordHash.tsx";
import { ActionPage, Problem } from "../ActionPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { AppName, RequestFacts, type RequestView, RequestWarning } from "./RequestFacts.tsx";
import { choicePath, type ConsentChoice, worksWithoutRecord } from "./paths.ts";
import { Time } from "../Time.tsx";

/** The open record with the mark of its session; null to connect without a record. */
export type Connecting = { record: RecordEntry; shown: string } | null;

const BESIDE: readonly BesidePart[] = [
  {
    title: "What happens next",
    text:
      "If you approve, we return you to the app and will email you a notice. If you deny, the " +
      "app learns only that you denied.",
  },
  {
    title: "How to undo it",
    text: "You can disconnect the app at any time on “My record”.",
  },
];

const BESIDE_NOTIFICATIONS: readonly BesidePart[] = [
  BESIDE[0],
  {
    title: "How to undo it",
    text: "You can disconnect the app at any time on “My record”. Its phones then get no more " +
      "notifications.",
  },
];

const BESIDE_PUBLIC: readonly BesidePart[] = [
  {
    title: "What the app gets",
    text: "Without a record, the app has the same access as anyone. It learns nothing about you.",
  },
];

/** Asks whether an app may connect. Only its buttons decide. */
export function ConsentPage(
  { state, view, connecting, problem }: {
    state: State;
    view: RequestView;
    connecting: Connecting;
    problem?: string;
  },
) {
  const { token, request } = view;
  const notifies = purposeOf(request) === "notifications";
  return (
    <ActionPage
      title="Connect an app"
      styles="consent"
      back={false}
      beside={connecting === null ? BESIDE_PUBLIC : notifies ? BESIDE_NOTIFICATIONS : BESIDE}
    >
      <Problem text={problem} />
      <p class="lead">
        <AppName request={request} /> {connecting === null
          ? "wants to connect without a record."
          : notifies
          ? "wants to send notifications to phones about what happens to your record."
          : "wants to use your record."}
      </p>
      <section class="box consent-card below-4" aria-labelledby="request-title">
        <h2 id="request-title">What it asks for</h2>
        <dl class="facts even below-5">
          <RequestFacts request={request} />
          <dt>Record</dt>
          <dd>
            {connecting === null ? "None" : <RecordFact state={state} record={connecting.record} />}
            <OtherRecords view={view} state={state} without={connecting === null} />
          </dd>
        </dl>
        <h3 class="below-2">If you approve, it can</h3>
        <ul>
          {allowedBy(request, connecting !== null).map((text) => <li key={text}>{text}</li>)}
        </ul>
        {notifies && (
          <p>
            It can do nothing else: it cannot read your record or your documents, or change them.
          </p>
        )}
        <RequestWarning request={request} />
        <form
          method="post"
          action="/my-record/authorize"
          class="consent-buttons stack gap-3 above-5"
        >
          <input type="hidden" name="request" value={token} />
          {connecting === null
            ? <input type="hidden" name="without" value="1" />
            : <input type="hidden" name="shown" value={connecting.shown} />}
          <button type="submit" class="button primary" name="decision" value="approve">
            Approve
          </button>
          <button type="submit" class="button" name="decision" value="deny">Deny</button>
        </form>
      </section>
    </ActionPage>
  );
}

function RecordFact({ state, record }: { state: State; record: RecordEntry }) {
  const contact = record.contact.value;
  const { name } = state.services.config.organisations[ownerOf(contact)];
  return (
    <>
      <code>{groupsOf(record.hash.slice(0, 16)).join(" ")} …</code>
      <span class="muted text-small block">
        Level {record.row.level}, registered with {name} on <Time at={contact.registered_at} day />
      </span>
    </>
  );
}

/** Links to continue with another record, or without a record. */
function OtherRecords(
  { view, state, without }: { view: RequestView; state: State; without: boolean },
) {
  const { token } = view;
  const link = (choice: ConsentChoice, text: string) => (
    <a href={choicePath(token, choice)}>{text}</a>
  );
  const signedIn = state.holder !== null;
  return (
    <span class="wrap muted text-small gap-0-4">
      {without
        ? link("record", signedIn ? "Use my record" : "Sign in to a record")
        : link("switch", "Use another record")}
      {!without && worksWithoutRecord(view) && link("none", "Continue without a record")}
    </span>
  );
}

const REASONS: Record<ConnectionProblem, { title: string; text: string }> = {
  closed: {
    title: "Your record is closed",
    text: "It will be deleted, so no app can connect to it. If you want to keep it, cancel the " +
      "deletion on “My record” first.",
  },
  replaced: {
    title: "This record was replaced",
    text: "A correction replaced it. Open the current record on “My record”.",
  },
  waiting: {
    title: "This correction is not in force yet",
    text: "Apps can connect only to the record that is in force.",
  },
};

/** The page for an open record that cannot be connected. */
export function CannotConnectPage(
  { view, reason }: { view: RequestView; reason: ConnectionProblem },
) {
  const { title, text } = REASONS[reason];
  const { token } = view;
  return (
    <ActionPage title={title} styles="consent" back={false}>
      <p class="lead">{text}</p>
      <p class="actions">
        {worksWithoutRecord(view) && (
          <a class="button primary" href={choicePath(token, "none")}>Continue without a record</a>
        )}
        <a class="button" href={choicePath(token, "switch")}>Use another record</a>
        <a class="button quiet" href="/my-record">Go to My record</a>
      </p>
      <DenyForm view={view}>
        <AppName request={view.request} /> is waiting for your decision.
      </DenyForm>
    </ActionPage>
  );
}

/** Denies a request without signing in. */
export function DenyForm(
  { view: { token }, children }: { view: RequestView; children: ComponentChildren },
) {
  return (
    <form method="post" action="/my-record/authorize" class="above-5">
      <input type="hidden" name="request" value={token} />
      <p class="muted below-2">{children}</p>
      <button type="submit" class="button small" name="decision" value="deny">Deny</button>
    </form>
  );
}

const FAILURES = {
  not_found: {
    title: "This request is not valid",
    text: "The link is incomplete, or the request ended some time ago.",
  },
  used: {
    title: "This request was already decided",
    text: "Each request can be decided only once.",
  },
  expired: {
    title: "This request has expired",
    text: "A request is valid for 30 minutes.",
  },
};

export function RequestFailurePage({ error }: { error: keyof typeof FAILURES }) {
  const { title, text } = FAILURES[error];
  return (
    <ActionPage title={title} styles="consent" back={false}>
      <p class="lead">{text} Nothing was connected on this page.</p>
      <p>
        Go back to your app and connect again. If you approved the request before, the app may
        already be connected: <a href="/my-record#agents">see your connected apps</a>.
      </p>
      <p class="muted">If you did not connect an app yourself, close this page.</p>
    </ActionPage>
  );
}

/**
 * Returns to the app with a link. Forms cannot redirect to some addresses, because no
 * Content-Security-Policy can name them. The page opens the link automatically.
 */
export function ReturnPage(
  { view: { request }, location }: { view: RequestView; location: string },
) {
  return (
    <ActionPage title="Returning to the app" styles="consent" back={false}>
      <Head>
        <meta http-equiv="refresh" content={`0;url=${location}`} />
      </Head>
      <p class="lead">
        You are returning to <AppName request={request} />.
      </p>
      <p>
        <a class="button primary" href={location}>Return to the app</a>
      </p>
    </ActionPage>
  );
}
