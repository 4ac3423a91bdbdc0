import { useMemo, useState } from "preact/hooks";
import { ChartBody } from "./ChartBody.tsx";
import { Controls } from "./Controls.tsx";
import { useAfterPaint, useChartData, useElementId, useHeld } from "./hooks.ts";
import { DataTable, Legend } from "./parts.tsx";
import {
  accumulate,
  type ChartProps,
  createFormatters,
  daysOf,
  DEFAULT_RANGE,
  hasValues,
  isLong,
  select,
  type Selection,
  type SeriesSet,
  tableOf,
  toSeries,
} from "../../lib/chart/mod.ts";

const MIN_HEIGHT = 200; // spec 8
const DEFAULT_HEIGHT = 300; // spec 8
const NO_SERIES: SeriesSet = toSeries({ labels: [], datasets: [] });

/**
 * The chart of spec 2.5: line, area, bar or doughnut, with ranges, running totals, a tooltip, and
 * the states loading, empty and error. It works with mouse, touch and keyboard. A table has the
 * same data for screen readers and for pages without scripts. The page adds the stylesheet
 * `/styles/chart.css` and the title.
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
export function Chart(props: ChartProps) {
  const { type, options = {}, loading = false } = props;
  const { currency, format, src, label: name = `${type} chart` } = options;
  const round = type === "doughnut";

  const id = useElementId();
  const hydrated = id !== undefined;
  const loaded = useChartData(props.data, src);
  const [selection, setSelection] = useState<Selection>({
    range: props.timeRange ? DEFAULT_RANGE : "All",
  });
  const [accumulated, setAccumulated] = useState(false);
  const [codeFailed, setCodeFailed] = useState(false);

  const current = useMemo(() => toSeries(loaded.data), [loaded.data]);
  const all = useHeld(current, loading || loaded.loading && !hasValues(current), NO_SERIES);
  const accumulative = !round && !!props.accumulative;
  const cumulative = accumulative && accumulated;
  const view = useMemo(() => {
    const selected = select(all, selection);
    return cumulative ? accumulate(selected) : selected;
  }, [all, selection, cumulative]);
  const { axis, daily } = view;
  const formatters = useMemo(
    () => createFormatters({ currency, format }, { axis, daily }),
    [currency, format, axis, daily],
  );
  const painted = useAfterPaint(view);
  const long = isLong(view);
  const tableView = long ? painted : view;
  const table = useMemo(
    () => hasValues(tableView) && tableOf(tableView, formatters),
    [tableView, formatters],
  );

  const dated = all.axis === "time";
  const busy = loading || loaded.loading;
  return (
    <figure
      class="chart"
      aria-label={name}
      aria-busy={busy ? "true" : "false"}
      data-hydrated={hydrated ? "" : undefined}
    >
      {hasValues(all) && (
        <div class="chart-head">
          {!round && <Legend series={all.series} />}
          <Controls
            timeRange={dated && !!props.timeRange}
            datePicker={dated && !!props.datePicker}
            accumulative={accumulative}
            available={daysOf(all)}
            shown={daysOf(view)}
            selection={selection}
            onSelect={setSelection}
            accumulated={accumulated}
            onAccumulate={setAccumulated}
            disabled={!hydrated}
          />
        </div>
      )}
      <ChartBody
        id={id}
        type={type}
        set={view}
        plain={long}
        formatters={formatters}
        height={Math.max(MIN_HEIGHT, props.height ?? DEFAULT_HEIGHT)}
        name={name}
        empty={props.empty ?? "No data available"}
        busy={busy}
        dataFailed={loaded.failed}
        codeFailed={codeFailed && !round}
        // A browser caches a failed module import, so only a reload can retry it.
        onRetry={() => codeFailed ? location.reload() : loaded.retry()}
        onCodeFailed={() => setCodeFailed(true)}
      />
      {table
        ? <DataTable caption={cumulative ? `${name}, cumulative` : name} table={table} />
        : src !== undefined && (
          <p class="chart-noscript">
            This chart needs JavaScript. Its <a href={src}>data</a> is available as JSON.
          </p>
        )}
    </figure>
  );
}
