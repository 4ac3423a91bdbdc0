import { asset, Head } from "fresh/runtime";
import Chart from "../../islands/Chart.tsx";
import { flowChart } from "../../lib/console/daily_flow.ts";
import type { LoadedFlow } from "../../lib/console/load_flow.ts";
import { dayText } from "../../lib/console/times.ts";
import { reasonText } from "../../lib/console/words.ts";
import { StateNote } from "../StateNote.tsx";

/** What went in and out on each day (spec 4.2.3). */
export function FlowSection(
  { flow, again }: { flow: LoadedFlow | { code: string }; again: string },
) {
  return (
    <section aria-labelledby="flow-title" class="card flow">
      <Head>
        <link rel="stylesheet" href={asset("/styles/chart.css")} />
      </Head>
      <h2 id="flow-title">Daily flow</h2>
      {"code" in flow
        ? (
          <StateNote kind="error" title="Unable to load chart data">
            <p>{reasonText(flow.code)}</p>
            <a class="button small" href={again}>Try again</a>
          </StateNote>
        )
        : (
          <>
            <p class="note">
              {spanText(flow)}{" "}
              Pending, failed, cancelled, reversed and blocked transactions are left out.
            </p>
            <Chart
              type="bar"
              data={flowChart(flow.days)}
              options={{ currency: "USD", label: "Daily flow" }}
              empty="No transactions in these days"
              timeRange
              datePicker
              accumulative
            />
          </>
        )}
    </section>
  );
}

/** Which days these are, and where they are fewer than were asked for. */
function spanText({ days, cut }: LoadedFlow): string {
  const rest = cut ? " Earlier days are left out: they hold too many transactions." : "";
  const [first, last] = [days.at(0), days.at(-1)].map((flow) => flow && dayText(flow.day));
  return first === undefined
    ? `By day, in UTC.${rest}`
    : `${first} to ${last}, by day in UTC.${rest}`;
}
