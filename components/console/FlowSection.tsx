import { Chart } from "../chart/Chart.tsx";
import { type AccountFlow, flowChart } from "../../lib/console/flow.ts";
import { errorMessage } from "../../lib/console/labels.ts";
import type { Failure } from "../../lib/result.ts";
import { formatDay } from "../../lib/time.ts";
import { StateNote } from "../StateNote.tsx";

/** A chart of the account's daily flow in the page's date range (spec 4.2.3). */
export function FlowSection(
  { flow, retryPath }: { flow: AccountFlow | Failure; retryPath: string },
) {
  return (
    <section aria-labelledby="flow-title" class="card flow">
      <h2 id="flow-title">Daily flow</h2>
      {flow.ok
        ? (
          <>
            <p class="note">
              {spanText(flow)}{" "}
              Pending, failed, cancelled, reversed and blocked transactions are not included.
            </p>
            <Chart
              type="bar"
              data={flowChart(flow.days)}
              options={{ currency: "USD", label: "Daily flow" }}
              empty="No transactions in these days"
              accumulative
            />
          </>
        )
        : (
          <StateNote kind="error" title="Unable to load chart data">
            <p>{errorMessage(flow.error)}</p>
            <a class="button small" href={retryPath}>Try again</a>
          </StateNote>
        )}
    </section>
  );
}

/** Describes the days that the chart covers, and whether earlier ones are missing. */
function spanText({ days, truncated }: AccountFlow): string {
  const rest = truncated
    ? " Earlier days are not included, because there are too many transactions."
    : "";
  const [first, last] = [days.at(0), days.at(-1)].map((flow) => flow && formatDay(flow.day));
  return first === undefined
    ? `By day, in UTC.${rest}`
    : `${first} to ${last}, by day in UTC.${rest}`;
}
