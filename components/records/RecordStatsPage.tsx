/** The console's charts of records by time, type, site and level. */
import type { ChartProps } from "../../lib/features/chart/mod.ts";
import type { Layer } from "../../lib/features/operators/mod.ts";
import { CHART_PERIODS, type RecordStatistics } from "../../lib/features/records/charts.ts";
import { formatCount } from "../../lib/base/time.ts";
import { Chart } from "../chart/Chart.tsx";
import { StateNote } from "../StateNote.tsx";
import { Card, Total } from "../console_parts.tsx";

/** The links between the list of records and the charts. Board members see only the charts. */
export function RecordViews({ current }: { current: "list" | "charts" }) {
  return (
    <nav class="wrap tabs below-5" aria-label="Views of the records">
      <a class="muted" href="/console/records" aria-current={current === "list" ? "page" : "false"}>
        List
      </a>
      <a
        class="muted"
        href="/console/records?view=charts"
        aria-current={current === "charts" ? "page" : "false"}
      >
        Charts
      </a>
    </nav>
  );
}

export interface RecordStatsPageProps {
  statistics: RecordStatistics;
  layer: Layer;
}

/** The numbers of an organisation's records, for both layers, without data about single records. */
export function RecordStatsPage({ statistics, layer }: RecordStatsPageProps) {
  const { period, totals, count, byTime, byType, bySite, byLevel } = statistics;
  const { levels, registrations } = totals;
  return (
    <>
      <h1>Records</h1>
      <p class="lead">
        Registrations with this organisation, and the levels that their records have now. Deleted
        records are not counted.
      </p>
      {layer === "L1" && <RecordViews current="charts" />}
      <div class="wrap record-totals below-4">
        <Total label="Registrations" figure={formatCount(registrations)} />
        <Total label={`Last ${CHART_PERIODS[period]}`} figure={formatCount(count)} />
        <Total label="At level 3 or 4" figure={formatCount(levels[3] + levels[4])} />
      </div>
      {registrations === 0
        ? (
          <StateNote kind="empty" title="No records yet">
            <p>The charts appear when somebody sends the contact form of this organisation.</p>
          </StateNote>
        )
        : (
          <>
            <Card id="by-time" title="Registrations by time">
              <CountChart
                type="area"
                data={byTime}
                label="Registrations by time"
                timeRange
                datePicker
                accumulative
              />
            </Card>
            <nav class="wrap tabs record-period" aria-label="Period">
              {Object.entries(CHART_PERIODS).map(([days, text]) => (
                <a
                  class="muted"
                  key={days}
                  href={`/console/records?view=charts&period=${days}`}
                  aria-current={Number(days) === period ? "true" : "false"}
                >
                  {text}
                </a>
              ))}
            </nav>
            <div class="record-charts stack gap-4">
              <Card id="by-type" title="By type">
                <CountChart type="doughnut" data={byType} label="Registrations by type" />
              </Card>
              <Card id="by-site" title="By site">
                <CountChart type="doughnut" data={bySite} label="Registrations by site" />
              </Card>
              <Card id="by-level" title="Records by level, now">
                <CountChart type="bar" data={byLevel} label="Records by level" />
              </Card>
            </div>
          </>
        )}
    </>
  );
}

const CountChart = ({ label, ...chart }: Omit<ChartProps, "options"> & { label: string }) => (
  <Chart {...chart} options={{ format: "integer", label }} height={240} />
);
