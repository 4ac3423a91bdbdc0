import { type Alert, ALERT_KINDS, type AlertState } from "../../lib/console/mod.ts";
import type { AccessRequest } from "../../lib/documents/mod.ts";
import { formatDateTime } from "../../lib/time.ts";
import { AccessRequestItem } from "../documents/AccessRequests.tsx";
import { StateNote } from "../StateNote.tsx";

/** An alert with the request that it is about; null if that was deleted. */
export interface AlertView {
  alert: Alert;
  request: AccessRequest | null;
}

const STATES: Record<AlertState, string> = { unread: "New", read: "Read", done: "Done" };

/** The alerts of the console's organisation, newest first. */
export function AlertsPage({ alerts, cursor, unread, operator, problem }: {
  alerts: readonly AlertView[];
  /** Continues the list; null at its end. */
  cursor: string | null;
  unread: number;
  /** The email address of the administrator who reads the page. */
  operator: string;
  problem?: string;
}) {
  return (
    <>
      <h1>Alerts</h1>
      <p class="lead">Requests that administrators of this organisation can decide on.</p>
      {problem !== undefined && <StateNote kind="error" title={problem} />}
      {unread > 0 && (
        <form method="post" action="/console/alerts">
          <button type="submit" class="button small" name="act" value="read">
            Mark all as read
          </button>
        </form>
      )}
      {alerts.length === 0
        ? <StateNote kind="empty" title="There are no alerts" />
        : (
          <ol class="alert-list">
            {alerts.map(({ alert, request }) => (
              <li key={alert.id} class={`card ${alert.state}`}>
                <h2>
                  {ALERT_KINDS[alert.kind]} <span class="pill">{STATES[alert.state]}</span>
                  <time class="muted" dateTime={alert.at}>{formatDateTime(alert.at)}</time>
                </h2>
                {request === null
                  ? (
                    <p class="muted">
                      {alert.kind === "access_requested" && "The request was deleted."}
                    </p>
                  )
                  : (
                    <>
                      <AccessRequestItem
                        request={request}
                        action="/console/alerts"
                        you={operator}
                        documentPath={`/console/records/${request.record}/documents/${request.document}`}
                      />
                      <p>
                        <a href={`/console/records/${request.record}`}>
                          Record <code>{request.record.slice(0, 8)}…</code>
                        </a>
                      </p>
                    </>
                  )}
              </li>
            ))}
          </ol>
        )}
      {cursor !== null && (
        <p>
          <a class="button small" href={`/console/alerts?after=${encodeURIComponent(cursor)}`}>
            Older alerts
          </a>
        </p>
      )}
    </>
  );
}
