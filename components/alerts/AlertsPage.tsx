/**
 * The page of the console’s alerts, with the requests that wait for a decision.
 *
 * @module
 */
import { ACCESS_REQUESTED } from "../../lib/features/documents/mod.ts";
import { type AlertGroup, type AlertPage, groupAlerts, type NamedObjects } from "./views.ts";
import {
  ALERT_LIFETIME_MS,
  type AlertFilters,
  type AlertList,
  type AlertQuery,
} from "../../lib/features/alerts/mod.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { DAY_MS, formatCount, plural } from "../../lib/base/time.ts";
import { ActionResult } from "../ActionResult.tsx";
import { FilterBar } from "../FilterBar.tsx";
import { ListPage } from "../ListPage.tsx";
import { StateNote } from "../StateNote.tsx";
import { Time } from "../Time.tsx";
import { AlertItem, STATES } from "./AlertItem.tsx";

export interface AlertsPageProps extends AlertPage {
  list: AlertList;
  filters: AlertFilters;
  query: AlertQuery;
  objects: NamedObjects;
  unread: number;
  /** The number of open alerts by kind. */
  counts: Readonly<Record<string, number>>;
  /** The email address of the administrator who reads the page. */
  operator: string;
  problem?: string;
  /** The result of the action that led here. */
  result: ShownResult | null;
}

/** The alerts of the console's organisation: decisions first, then the others, newest first. */
export function AlertsPage(props: AlertsPageProps) {
  const { decisions, alerts, next, list, filters, query, objects, unread, operator } = props;
  const { problem, result } = props;
  // The forms return to the same page.
  const action = list.href(query, { after: query.after });
  const items = { objects, operator, action };
  const groups = query.kind === undefined
    ? groupAlerts(alerts)
    : alerts.map((alert) => ({ ...alert, alerts: [alert] as const }));
  const waiting = props.counts[ACCESS_REQUESTED] ?? 0;
  return (
    <>
      <h1>Alerts</h1>
      <p class="lead">
        Requests waiting for a decision, and problems that need attention. They stay here for{" "}
        {plural(ALERT_LIFETIME_MS / DAY_MS, "day")}.
      </p>
      {result !== null && <ActionResult result={result} action={action} />}
      {problem !== undefined && <StateNote kind="error" title={problem} />}
      {decisions.length > 0 && (
        <section class="below-5" aria-labelledby="decisions-title">
          <h2 id="decisions-title">Waiting for your decision</h2>
          <ol class="box alert-list" aria-label="Requests, newest first">
            {decisions.map((alert) => <AlertItem key={alert.id} alert={alert} {...items} />)}
          </ol>
          {waiting > decisions.length && (
            <p>
              <a href={list.href({ kind: ACCESS_REQUESTED })}>
                All {formatCount(waiting)} requests
              </a>
            </p>
          )}
        </section>
      )}
      <ListPage
        list={list}
        filters={filters}
        bar={
          <div class="wrap alert-bar bottom apart">
            <FilterBar list={list} filters={filters} compact />
            {unread > 0 && (
              <form method="post" action={action}>
                <button type="submit" class="button small" name="act" value="read">
                  Mark all as read
                </button>
              </form>
            )}
          </div>
        }
        page={{
          empty: decisions.length === 0 && <Empty list={list} query={query} more={next !== null} />,
          items: groups.length === 0
            ? null
            : (
              <ol class="box alert-list below-4" aria-label="Alerts, newest first">
                {groups.map((group) =>
                  group.alerts.length === 1
                    ? <AlertItem key={group.alerts[0].id} alert={group.alerts[0]} {...items} />
                    : <Group key={group.alerts[0].id} {...{ group, list, ...items }} />
                )}
              </ol>
            ),
          pages: {
            label: "Pages of alerts",
            previous: query.after === undefined ? null : { to: {}, text: "Newest" },
            next: next && { to: { after: next }, text: "Older" },
          },
        }}
      />
    </>
  );
}

/** Equal alerts in one row, which opens. */
function Group({ group, list, ...items }: {
  group: AlertGroup;
  list: AlertList;
  objects: NamedObjects;
  operator: string;
  action: string;
}) {
  const { kind, state, alerts: [newest] } = group;
  return (
    <li class={`alert ${state}`}>
      <details>
        <summary class="pad-3-4">
          <span class="wraps gap-1-3">
            <h2>{items.objects.kinds[kind]}</h2>
            <span class={`pill ${state === "unread" ? "warn" : ""}`}>
              {formatCount(group.alerts.length)} {STATES[state].toLowerCase()}
            </span>
            <span class="muted">
              newest <Time at={newest.at} />
            </span>
          </span>
        </summary>
        <ol class="alert-list" aria-label={items.objects.kinds[kind]}>
          {group.alerts.map((alert) => <AlertItem key={alert.id} alert={alert} {...items} />)}
        </ol>
        <p class="pad-3-4 flush">
          <a href={list.href({ kind, state })} aria-current="false">Only these alerts</a>
        </p>
      </details>
    </li>
  );
}

function Empty(
  { list, query, more }: { list: AlertList; query: AlertQuery; more: boolean },
) {
  if (more) {
    return <StateNote kind="empty" title="None of the newest alerts match" />;
  }
  const isOpen = !list.isFiltered(query);
  return (
    <StateNote kind="empty" title={isOpen ? "Nothing needs your attention" : "No alerts"}>
      <p>
        {query.after !== undefined
          ? <a href={list.href(query)}>Go to the newest alerts.</a>
          : isOpen
          ? <a href={list.href({ state: "done" })}>Show alerts that are done.</a>
          : <a href="/console/alerts">Show open alerts.</a>}
      </p>
    </StateNote>
  );
}
