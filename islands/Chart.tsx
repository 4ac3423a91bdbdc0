import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ChartStage } from "../components/chart/ChartStage.tsx";
import { Controls } from "../components/chart/Controls.tsx";
import { FiguresTable } from "../components/chart/FiguresTable.tsx";
import { useAnnouncement, useLive } from "../components/chart/hooks.ts";
import { Legend } from "../components/chart/Legend.tsx";
import { useChartData } from "../components/chart/useChartData.ts";
import { daysOf, textsOf, viewOf } from "../components/chart/views.ts";
import {
  type ChartProps,
  DEFAULT_RANGE,
  DENSE,
  hasValues,
  type Selection,
  type SeriesSet,
  tableOf,
  toSeries,
} from "../lib/chart/mod.ts";

const MIN_HEIGHT = 200; // spec 8

/**
 * The chart of spec 2.5: line, area, bar or doughnut, with ranges, running totals, a tooltip, and
 * the states loading, empty and error. It works by pointer, finger and keyboard; the same figures
 * stand in a table, for screen readers and for pages without scripts. Its stylesheet is
 * `/styles/chart.css`; the title is the page's.
 *
 * @example
 * ```tsx
 * <Chart
 *   type="area"
 *   data={{ labels: ["2026-03-01", "2026-03-02"], datasets: [{ label: "Net", data: [120.5, null] }] }}
 *   options={{ currency: "USD", label: "Daily flow" }}
 *   timeRange
 * />
 * ```
 */
export default function Chart(props: ChartProps) {
  const { type, options = {}, timeRange = false, datePicker = false, accumulative = false } = props;
  const { loading = false, empty = "No data available" } = props;
  const { currency, format, label: name = `${type} chart` } = options;
  const height = Math.max(MIN_HEIGHT, props.height ?? 300);

  const live = useLive();
  const loaded = useChartData(props.data, options.src);
  const [selection, setSelection] = useState<Selection>({
    range: timeRange ? DEFAULT_RANGE : "All",
  });
  const [accumulated, setAccumulated] = useState(false);
  const [spoken, announce] = useAnnouncement();
  const [broken, setBroken] = useState(false);

  const own = useMemo(() => toSeries(loaded.data), [loaded.data]);
  const all = useHeld(own, loading);
  const view = useMemo(
    () => all === null ? null : viewOf(all, selection, accumulated && type !== "doughnut"),
    [all, selection, accumulated, type],
  );
  const { axis, daily } = view ?? own;
  const texts = useMemo(
    () => textsOf({ currency, format }, { axis, daily }),
    [currency, format, axis, daily],
  );
  const tabled = useAfterPaint(view);
  const table = useMemo(
    () => tabled !== null && hasValues(tabled) ? tableOf(tabled, texts.label, texts.value) : null,
    [tabled, texts],
  );

  const dated = all !== null && all.axis === "time" && hasValues(all);
  const busy = loading || loaded.state === "loading";
  const tell = (index: number | null) =>
    announce(
      index === null || view === null ? "" : [
        `${texts.label(view, index)}:`,
        view.series.map(({ label, values }) => `${label} ${texts.value(values[index])}`).join(", "),
      ].join(" "),
    );
  const days = view === null ? { first: "", last: "" } : daysOf(view);
  return (
    <figure
      class="chart"
      aria-label={name}
      aria-busy={busy ? "true" : "false"}
      data-live={live ? "" : undefined}
    >
      {all !== null && hasValues(all) && (
        <div class="chart-head">
          {type !== "doughnut" && <Legend series={all.series} />}
          <Controls
            timeRange={timeRange && dated}
            datePicker={datePicker && dated}
            accumulative={accumulative && type !== "doughnut"}
            extent={daysOf(all)}
            shown={{ start: days.first, end: days.last }}
            selection={selection}
            onSelect={setSelection}
            accumulated={accumulated}
            onAccumulate={setAccumulated}
            disabled={!live}
          />
        </div>
      )}
      <ChartStage
        type={type}
        view={view}
        texts={texts}
        height={height}
        name={name}
        empty={empty}
        busy={busy}
        failed={loaded.state === "failed"}
        broken={broken}
        onRetry={() => {
          setBroken(false);
          if (options.src !== undefined) loaded.retry();
        }}
        onBreak={() => setBroken(true)}
        onShow={tell}
      />
      <p class="visually-hidden" role="status">{spoken}</p>
      {table !== null && (
        <FiguresTable caption={accumulated ? `${name}, cumulative` : name} table={table} />
      )}
      {table === null && options.src !== undefined && (
        <p class="chart-without-script">
          A script draws this chart. <a href={options.src}>Its figures</a> stand by themselves too.
        </p>
      )}
    </figure>
  );
}

/** The view of the table: that of a long series follows when its plot has been painted. */
function useAfterPaint(view: SeriesSet | null): SeriesSet | null {
  const [late, setLate] = useState(view);
  useEffect(() => {
    const timer = setTimeout(() => setLate(view));
    return () => clearTimeout(timer);
  }, [view]);
  return view !== null && view.x.length > DENSE ? late : view;
}

/** While the page says `loading`, what was drawn last; null when nothing was. */
function useHeld(set: SeriesSet, loading: boolean): SeriesSet | null {
  const held = useRef<SeriesSet | null>(null);
  useEffect(() => {
    if (!loading) held.current = hasValues(set) ? set : null;
  });
  return loading ? held.current : set;
}
