import { useMemo, useState } from "preact/hooks";
import { ChartStage } from "../components/chart/ChartStage.tsx";
import { Controls } from "../components/chart/Controls.tsx";
import { FiguresTable } from "../components/chart/FiguresTable.tsx";
import { useAfterPaint, useElementId, useHeld } from "../components/chart/hooks.ts";
import { Legend } from "../components/chart/Legend.tsx";
import { useChartData } from "../components/chart/useChartData.ts";
import { daysOf, textsOf, viewOf } from "../components/chart/views.ts";
import {
  type ChartProps,
  DEFAULT_RANGE,
  hasValues,
  isLong,
  type Selection,
  type SeriesSet,
  tableOf,
  toSeries,
} from "../lib/chart/mod.ts";

const MIN_HEIGHT = 200; // spec 8
const NOTHING: SeriesSet = toSeries({ labels: [], datasets: [] });

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
  const { type, options = {}, loading = false } = props;
  const { currency, format, src, label: name = `${type} chart` } = options;
  const round = type === "doughnut";

  const id = useElementId();
  const live = id !== undefined;
  const loaded = useChartData(props.data, src);
  const [selection, setSelection] = useState<Selection>({
    range: props.timeRange ? DEFAULT_RANGE : "All",
  });
  const [accumulated, setAccumulated] = useState(false);
  const [broken, setBroken] = useState(false);

  const own = useMemo(() => toSeries(loaded.data), [loaded.data]);
  const all = useHeld(own, loading || loaded.loading && !hasValues(own), NOTHING);
  const accumulative = !round && !!props.accumulative;
  const summed = accumulative && accumulated;
  const view = useMemo(() => viewOf(all, selection, summed), [all, selection, summed]);
  const { axis, daily } = view;
  const texts = useMemo(
    () => textsOf({ currency, format }, { axis, daily }),
    [currency, format, axis, daily],
  );
  const painted = useAfterPaint(view);
  const long = isLong(view);
  const tabled = long ? painted : view;
  const table = useMemo(
    () => hasValues(tabled) && tableOf(tabled, texts.label, texts.value),
    [tabled, texts],
  );

  const filled = hasValues(all);
  const dated = all.axis === "time";
  const busy = loading || loaded.loading;
  return (
    <figure
      class="chart"
      aria-label={name}
      aria-busy={busy ? "true" : "false"}
      data-live={live ? "" : undefined}
    >
      {filled && (
        <div class="chart-head">
          {!round && <Legend series={all.series} />}
          <Controls
            timeRange={dated && !!props.timeRange}
            datePicker={dated && !!props.datePicker}
            accumulative={accumulative}
            extent={daysOf(all)}
            shown={daysOf(view)}
            selection={selection}
            onSelect={setSelection}
            accumulated={accumulated}
            onAccumulate={setAccumulated}
            disabled={!live}
          />
        </div>
      )}
      <ChartStage
        id={id}
        type={type}
        set={view}
        plain={long}
        texts={texts}
        height={Math.max(MIN_HEIGHT, props.height ?? 300)}
        name={name}
        empty={props.empty ?? "No data available"}
        busy={busy}
        failed={loaded.failed}
        broken={broken && !round}
        // A browser never asks again for a module that failed, and a new build has others.
        onRetry={() => broken ? location.reload() : loaded.retry()}
        onBreak={() => setBroken(true)}
      />
      {table
        ? <FiguresTable caption={summed ? `${name}, cumulative` : name} table={table} />
        : src !== undefined && (
          <p class="chart-without-script">
            A script draws this chart. <a href={src}>Its figures</a> stand by themselves too.
          </p>
        )}
    </figure>
  );
}
