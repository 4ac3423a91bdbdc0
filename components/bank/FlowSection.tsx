/** Money in and out per day on the page of a bank account, as totals and as a chart. */
import {
  dollars,
  errorMessage,
  labelOf,
  statusChoice,
} from "../../lib/features/bank/console/labels.ts";
import type { Ledger } from "../../lib/features/bank/console/ledger.ts";
import type { TypedFilters } from "../../lib/features/bank/console/ledger_path.ts";
import { formatCount, formatDay, isDay, plural } from "../../lib/base/time.ts";
import { Chart } from "../chart/Chart.tsx";
import { StateNote } from "../StateNote.tsx";
import { Total } from "../console_parts.tsx";

interface FlowProps {
  ledger: Ledger;
  typed: TypedFilters;
  /** False if the filters are invalid, so that the chart shows its range without them. */
  totals: boolean;
  busy: boolean;
  retryPath: string;
}

/** The totals of the selected transactions, and the same by day as a chart (spec 4.2.3). */
export function FlowSection(
  { ledger, typed, totals, busy, retryPath }: FlowProps,
) {
  const { gap, chart } = ledger;
  const failed = gap !== null && gap !== "too_many";
  return (
    <section aria-labelledby="flow-title" class="card flow gap-3">
      <h2 id="flow-title">Daily flow</h2>
      <p class="note selection">
        {totals
          ? `${selectionText(typed)} ${unmovedText(ledger, typed)}`
          : `${spanText(chart.labels)} ${UNMOVED}`}
      </p>
      {failed
        ? (
          <StateNote kind="error" title="Unable to load chart data">
            <p>{errorMessage(gap)} Only the newest transactions are listed below.</p>
            <a class="button small" href={retryPath} aria-current="false">Try again</a>
          </StateNote>
        )
        : (
          <>
            {totals && <Totals {...ledger} />}
            {gap === "too_many" && (
              <p class="note">
                There are too many transactions to include the oldest ones. Choose a shorter period.
              </p>
            )}
            <Chart
              type="bar"
              data={chart}
              options={{ currency: "USD", label: "Daily flow" }}
              empty="No transactions in these days"
              height={220}
              loading={busy}
              // The range of the form, so that the totals and the list below always match the chart.
              selection={typed}
              accumulative
            />
          </>
        )}
    </section>
  );
}

function Totals({ totals, count, unmoved }: Ledger) {
  return (
    <div class="flow-totals stack">
      <Total label="In" figure={dollars(totals.in)} />
      <Total label="Out" figure={dollars(totals.out)} />
      <Total label="Net" figure={dollars(totals.net)} />
      <Total label="Transactions" figure={formatCount(count - unmoved)} />
    </div>
  );
}

/** Describes the filters in words, also for a printed page, which has no form. */
function selectionText({ start, end, ...typed }: TypedFilters): string {
  const day = (text: string) => isDay(text) ? formatDay(text) : text;
  const dates = start === ""
    ? end === "" ? "The whole history" : `Until ${day(end)}`
    : end === ""
    ? `Since ${day(start)}`
    : `${day(start)} to ${day(end)}`;
  const { search, kind, status, direction, min, max } = typed;
  const filters = [
    search && `“${search}”`,
    kind && labelOf(kind),
    status && statusChoice(status),
    direction === "in" ? "money in" : direction === "out" && "money out",
    min && max ? `$${min} to $${max}` : min ? `from $${min}` : max && `up to $${max}`,
  ];
  return `${[`${dates}, by day in UTC`, ...filters].filter(Boolean).join(" · ")}.`;
}

const UNMOVED = "Pending, failed, cancelled, reversed and blocked transactions are not included.";

function unmovedText({ unmoved }: Ledger, { status }: TypedFilters): string {
  if (status !== "") return "";
  return unmoved === 0
    ? UNMOVED
    : `${plural(unmoved, "transaction")} in the list below ${
      unmoved === 1 ? "is" : "are"
    } not included: pending, failed, cancelled, reversed or blocked.`;
}

function spanText(days: string[]): string {
  const [first, last] = [days.at(0), days.at(-1)];
  return first === undefined || last === undefined
    ? "By day, in UTC."
    : `${formatDay(first)} to ${formatDay(last)}, by day in UTC.`;
}
