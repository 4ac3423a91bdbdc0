import type { NamedObjects } from "../../lib/features/console/alert_views.ts";
import {
  type Alert,
  ALERT_LIFETIME_MS,
  type AlertFilters,
  type AlertList,
  type AlertQuery,
} from "../../lib/features/alerts/mod.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import type { RowPosition } from "../../lib/platform/listing/pages.ts";
import { DAY_MS, plural } from "../../lib/base/time.ts";
import { ActionResult } from "../ActionResult.tsx";
import { FilterBar } from "../FilterBar.tsx";
import { Pager } from "../Pager.tsx";
import { StateNote } from "../StateNote.tsx";
import { AlertItem } from "./AlertItem.tsx";

export interface AlertsPageProps {
  alerts: readonly Alert[];
  /** Continues the list; null at its end. */
  next: RowPosition | null;
  list: AlertList;
  filters: AlertFilters;
  query: AlertQuery;
  objects: NamedObjects;
  unread: number;
  /** The email address of the administrator who reads the page. */
  operator: string;
  problem?: string;
  /** The result of the action that led here. */
  result: ShownResult | null;
}

/** The alerts of the console's organisation, newest first. */
export function AlertsPage(props: AlertsPageProps) {
  const { alerts, next, list, filters, query, objects, unread, operator, problem, result } = props;
  // The forms return to the same page.
  const action = list.href(query, { after: query.after });
  return (
    <>
      <h1>Alerts</h1>
      <p class="lead">
        Requests that wait for a decision, and problems that need attention. They stay here for{" "}
        {plural(ALERT_LIFETIME_MS / DAY_MS, "day")}.
      </p>
      {result !== null && <ActionResult result={result} action={action} />}
      {problem !== undefined && <StateNote kind="error" title={problem} />}
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
      {alerts.length === 0
        ? <Empty list={list} query={query} more={next !== null} />
        : (
          <ol class="box alert-list below-4" aria-label="Alerts, newest first">
            {alerts.map((alert) => (
              <AlertItem
                key={alert.id}
                alert={alert}
                objects={objects}
                operator={operator}
                action={action}
              />
            ))}
          </ol>
        )}
      <Pager
        label="Pages of alerts"
        previous={query.after === undefined ? null : { href: list.href(query), text: "Newest" }}
        next={next && { href: list.href(query, { after: next }), text: "Older" }}
      />
    </>
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
