/** One alert in the list of a console: its state, text, history and buttons. */
import type { NamedObjects } from "./views.ts";
import { type Alert, type AlertState, MOST_REPORTS } from "../../lib/features/alerts/mod.ts";
import { formatPosition } from "../../lib/platform/listing/filters.ts";
import { formatDateTime, plural } from "../../lib/base/time.ts";
import { AccessRequestItem } from "../documents/AccessRequests.tsx";
import { AlertBody } from "./AlertBody.tsx";
import { Time } from "../Time.tsx";

export const STATES: Record<AlertState, string> = { unread: "New", read: "Read", done: "Done" };

interface AlertProps {
  alert: Alert;
  objects: NamedObjects;
  /** The email address of the administrator who reads the page. */
  operator: string;
  /** The path that its forms post to. */
  action: string;
}

export function AlertItem({ alert, objects, operator, action }: AlertProps) {
  const { id, kind, state, at, count } = alert;
  const heading = `alert-${id}`;
  return (
    <li class={`alert pad-3-4 ${state}`} data-card>
      <article class="stack gap-2-5" aria-labelledby={heading}>
        <header class="cluster wraps gap-1-3">
          <h2 id={heading}>{objects.kinds[kind]}</h2>
          <span class={`pill ${state === "unread" ? "warn" : ""}`}>{STATES[state]}</span>
          {count > 1 && <span class="muted">{plural(count, "time")}</span>}
          <Time class="muted" at={at} />
        </header>
        <div class="alert-body">
          {kind === "access_requested"
            ? <Request alert={alert} objects={objects} operator={operator} action={action} />
            : <AlertBody alert={alert} objects={objects} action={action} />}
          <History alert={alert} operator={operator} />
        </div>
        <Actions {...{ alert, objects, action, heading }} />
      </article>
    </li>
  );
}

function Request({ alert, objects, operator, action }: AlertProps) {
  const request = objects.requests.get(alert.reports[0]?.links.request ?? "");
  if (request === undefined) return <p class="muted">The request was deleted.</p>;
  const recordPath = `/console/records/${request.record}`;
  const holder = objects.records.get(request.record);
  return (
    <AccessRequestItem
      {...{ request, action, recordPath, holder }}
      you={operator}
      isCard={false}
      documentPath={`${recordPath}/documents/${request.document}`}
    />
  );
}

/** Says when the problem was first reported, and who has read the alert or dealt with it. */
function History({ alert, operator }: Pick<AlertProps, "alert" | "operator">) {
  const { state, by, changed_at, count, first_at } = alert;
  const who = by === operator ? "you" : by === "holder" ? "the holder" : by;
  const changes = [
    count > 1 && `Reported ${plural(count, "time")} since ${formatDateTime(first_at)}` +
      (count > MOST_REPORTS ? `; the latest ${MOST_REPORTS} are listed` : ""),
    changed_at !== null &&
    (who === null
      ? `Resolved automatically, ${formatDateTime(changed_at)}`
      : `Marked as ${STATES[state].toLowerCase()} by ${who}, ${formatDateTime(changed_at)}`),
  ].filter((text) => text !== false);
  return changes.length === 0 ? null : <p class="alert-history muted">{changes.join(". ")}.</p>;
}

function Actions(
  { alert, objects, action, heading }: Omit<AlertProps, "operator"> & { heading: string },
) {
  const { kind, state, reports } = alert;
  const request = objects.requests.get(reports[0]?.links.request ?? "");
  const isDecided = kind === "access_requested" && request?.state !== "open";
  if (state === "done" && isDecided) return null;
  const button = (action: string, text: string) => (
    <button
      type="submit"
      class="button small"
      name="act"
      value={action}
      aria-describedby={heading}
      data-inline={action === "done" || undefined}
    >
      {text}
    </button>
  );
  return (
    <form class="wrap alert-actions gap-2 top" method="post" action={action}>
      <input type="hidden" name="alert" value={formatPosition(alert)} />
      {state === "unread" && button("read", "Mark as read")}
      {state === "done" ? button("reopen", "Reopen") : button("done", "Mark as done")}
    </form>
  );
}
