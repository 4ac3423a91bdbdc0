import {
  type AlertFilters,
  alertsPath,
  STATE_FILTERS,
} from "../../lib/features/console/alert_filters.ts";
import type { NamedObjects } from "../../lib/features/console/alert_views.ts";
import { type Alert, ALERT_LIFETIME_MS, type AlertNames } from "../../lib/features/alerts/mod.ts";
import { DAY_MS, plural } from "../../lib/base/time.ts";
import { Field } from "../Field.tsx";
import { StateNote } from "../StateNote.tsx";
import { AlertItem } from "./AlertItem.tsx";

export interface AlertsPageProps {
  alerts: readonly Alert[];
  /** Continues the list; null at its end. */
  cursor: string | null;
  filters: AlertFilters;
  objects: NamedObjects;
  unread: number;
  /** The email address of the administrator who reads the page. */
  operator: string;
  problem?: string;
}

/** The alerts of the console's organisation, newest first. */
export function AlertsPage(props: AlertsPageProps) {
  const { alerts, cursor, filters, objects, unread, operator, problem } = props;
  return (
    <>
      <h1>Alerts</h1>
      <p class="lead">
        Requests that wait for a decision, and problems that need attention. They stay here for{" "}
        {plural(ALERT_LIFETIME_MS / DAY_MS, "day")}.
      </p>
      {problem !== undefined && <StateNote kind="error" title={problem} />}
      <div class="wrap alert-bar">
        <FilterForm filters={filters} kinds={objects.kinds} />
        {unread > 0 && (
          <form method="post" action={alertsPath(filters)}>
            <button type="submit" class="button small" name="act" value="read">
              Mark all as read
            </button>
          </form>
        )}
      </div>
      {alerts.length === 0
        ? <Empty filters={filters} more={cursor !== null} />
        : (
          <ol class="box alert-list" aria-label="Alerts, newest first">
            {alerts.map((alert) => (
              <AlertItem
                key={alert.id}
                alert={alert}
                objects={objects}
                operator={operator}
                action={alertsPath(filters)}
              />
            ))}
          </ol>
        )}
      {(cursor !== null || filters.after !== undefined) && (
        <nav class="wrap ledger-pages" aria-label="Pages of alerts">
          {filters.after !== undefined && (
            <a class="button small" href={alertsPath(filters, { after: null })}>← Newest</a>
          )}
          {cursor !== null && (
            <a class="button small" rel="next" href={alertsPath(filters, { after: cursor })}>
              Older →
            </a>
          )}
        </nav>
      )}
    </>
  );
}

function FilterForm(
  { filters: { state, kind }, kinds }: { filters: AlertFilters; kinds: AlertNames },
) {
  return (
    <form
      class="wrap ledger-filters"
      method="get"
      action="/console/alerts"
      aria-label="Filters"
      autocomplete="off"
    >
      <Field name="state" label="State">
        {(control) => (
          <select {...control}>
            {Object.entries(STATE_FILTERS).map(([value, text]) => (
              <option key={value} value={value} selected={value === state}>{text}</option>
            ))}
          </select>
        )}
      </Field>
      <Field name="kind" label="Kind">
        {(control) => (
          <select {...control}>
            <option value="">All</option>
            {Object.entries(kinds).map(([value, text]) => (
              <option key={value} value={value} selected={value === kind}>{text}</option>
            ))}
          </select>
        )}
      </Field>
      <div class="ledger-actions">
        <button type="submit" class="button">Apply</button>
      </div>
    </form>
  );
}

function Empty({ filters, more }: { filters: AlertFilters; more: boolean }) {
  if (more) {
    return <StateNote kind="empty" title="None of the newest alerts match" />;
  }
  const isOpen = filters.state === "open" && filters.kind === undefined;
  return (
    <StateNote kind="empty" title={isOpen ? "Nothing needs your attention" : "No alerts"}>
      <p>
        {filters.after !== undefined
          ? <a href={alertsPath(filters, { after: null })}>Go to the newest alerts.</a>
          : isOpen
          ? <a href={alertsPath({ state: "done" })}>Show alerts that are done.</a>
          : <a href="/console/alerts">Show open alerts.</a>}
      </p>
    </StateNote>
  );
}
