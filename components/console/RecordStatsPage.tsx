import type { ComponentChildren } from "preact";
import { CHART_PERIODS, type RecordStatistics } from "../../lib/console/record_charts.ts";
import { StateNote } from "../StateNote.tsx";
import { Total } from "./parts.tsx";

/** The links between the list of records and the charts. Board members see only the charts. */
export function RecordViews({ current }: { current: "list" | "charts" }) {
  return (
    <nav class="tabs" aria-label="Views of the records">
      <a href="/console/records" aria-current={current === "list" ? "page" : "false"}>List</a>
      <a href="/console/records?view=charts" aria-current={current === "charts" ? "page" : "false"}>
        Charts
      </a>
    </nav>
  );
}

export interface RecordStatsPageProps {
  statistics: RecordStatistics;
  /** The links between the views, for full administrators. */
  views?: ComponentChildren;
  /** The charts, which are islands. */
  charts: Record<"byTime" | "byType" | "bySite" | "byLevel", ComponentChildren>;
}

/** The numbers of an organisation's records, for both layers, without data about single records. */
export function RecordStatsPage({ statistics, views, charts }: RecordStatsPageProps) {
  const { period, totals, count } = statistics;
  const { levels, registrations } = totals;
  return (
    <>
      <h1>Records</h1>
      <p class="lead">
        Registrations with this organisation, excluding deleted records, and the levels of the
        records in force.
      </p>
      {views}
      <div class="record-totals">
        <Total label="Registrations" figure={registrations.toLocaleString("en-US")} />
        <Total label={`Last ${CHART_PERIODS[period]}`} figure={count.toLocaleString("en-US")} />
        <Total label="At level 3 or 4" figure={(levels[3] + levels[4]).toLocaleString("en-US")} />
      </div>
      <nav class="tabs" aria-label="Period">
        {Object.entries(CHART_PERIODS).map(([days, text]) => (
          <a
            key={days}
            href={`/console/records?view=charts&period=${days}`}
            aria-current={Number(days) === period ? "true" : "false"}
          >
            {text}
          </a>
        ))}
      </nav>
      {registrations === 0
        ? (
          <StateNote kind="empty" title="No records yet">
            <p>The charts appear when somebody sends the contact form of this organisation.</p>
          </StateNote>
        )
        : (
          <div class="record-charts">
            <ChartCard id="by-time" title="Registrations by time">{charts.byTime}</ChartCard>
            <ChartCard id="by-type" title="By type">{charts.byType}</ChartCard>
            <ChartCard id="by-site" title="By site">{charts.bySite}</ChartCard>
            <ChartCard id="by-level" title="Records by level, now">{charts.byLevel}</ChartCard>
          </div>
        )}
    </>
  );
}

const ChartCard = (
  { id, title, children }: { id: string; title: string; children: ComponentChildren },
) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);
