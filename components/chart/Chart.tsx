/** The chart component of all pages; the other files of this folder are its parts. */
import { useMemo, useState } from "preact/hooks";
import {
  accumulate,
  type Bin,
  binForBars,
  type ChartProps,
  createFormatters,
  daysOf,
  DEFAULT_RANGE,
  hasValues,
  isLong,
  RANGES,
  rangesOf,
  select,
  type Selection,
  tableOf,
  toSeries,
} from "../../lib/features/chart/mod.ts";
import { StateNote } from "../StateNote.tsx";
import { Controls } from "./Controls.tsx";
import { Doughnut } from "./Doughnut.tsx";
import { useAfterPaint, useChartData, useElementId, useHeld } from "./hooks.ts";
import { DataTable, Legend, Skeleton } from "./parts.tsx";
import { PlotArea } from "./PlotArea.tsx";

const MIN_HEIGHT = 200; // spec 8
const DEFAULT_HEIGHT = 300; // spec 8
const NO_SERIES = toSeries({ labels: [], datasets: [] });

/** For pages that fetch the data of each range. */
interface FetchedRange {
  /** The range of `data`: the chart shows all of it. */
  selection?: Selection;
  onSelect?: (selection: Selection) => void;
  /** The range of several charts, of which one has the controls. */
  shared?: [Selection, (selection: Selection) => void];
}

/**
 * The chart of spec 2.5: line, area, bar or doughnut, with ranges, running totals, a tooltip, and
 * the states loading, empty and error. It works with mouse, touch and keyboard. A table has the
 * same data for screen readers and for visitors without JavaScript. The page's stylesheet
 * imports `chart.css`, and the page adds the title.
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
export function Chart(props: ChartProps & FetchedRange) {
  const { type, options = {}, loading = false } = props;
  const { currency, format, src, label: name = `${type} chart` } = options;
  const height = Math.max(MIN_HEIGHT, props.height ?? DEFAULT_HEIGHT);

  const id = useElementId();
  const hydrated = id !== undefined;
  const loaded = useChartData(props.data, src);
  const state = useState<Selection>({ range: props.timeRange ? DEFAULT_RANGE : "All" });
  const [own, setOwn] = props.shared ?? state;
  const { selection = own, onSelect = setOwn } = props;
  const fetched = props.selection !== undefined;
  const [accumulated, setAccumulated] = useState(false);
  const [codeFailed, setCodeFailed] = useState(false);

  const current = useMemo(() => toSeries(loaded.data), [loaded.data]);
  const all = useHeld(current, loading || loaded.loading && !hasValues(current), NO_SERIES);
  const accumulative = type !== "doughnut" && !!props.accumulative;
  const cumulative = accumulative && accumulated;
  const selected = useMemo(
    () => fetched ? all : select(all, selection),
    [all, fetched, selection],
  );
  const set = useMemo(() => {
    const points = type === "bar" ? binForBars(selected) : selected;
    return cumulative ? accumulate(points) : points;
  }, [selected, cumulative, type]);
  const { axis, daily, bin } = set;
  const formatters = useMemo(
    () => createFormatters({ currency, format }, { axis, daily, bin }),
    [currency, format, axis, daily, bin],
  );
  const painted = useAfterPaint(set);
  // A long set is drawn with straight lines and without points, and its table follows once the plot is painted.
  const plain = isLong(set);
  const tableSet = plain ? painted : set;
  const table = useMemo(
    () => hasValues(tableSet) && tableOf(tableSet, formatters),
    [tableSet, formatters],
  );

  const dated = all.axis === "time";
  const busy = loading || loaded.loading;
  const noPlot = codeFailed && type !== "doughnut";
  const filled = hasValues(set) && !noPlot;
  const error = (loaded.failed || noPlot) && (
    <StateNote kind="error" title="Unable to load chart data">
      <button
        type="button"
        class="button small"
        // A browser caches a failed module import, so only a reload can retry it.
        onClick={() =>
          codeFailed ? location.reload() : loaded.retry()}
      >
        Try again
      </button>
    </StateNote>
  );
  const plot = { id, name, set, height, formatters };
  return (
    <figure
      class="chart relative shrinks flush"
      aria-label={name}
      aria-busy={busy ? "true" : "false"}
      data-hydrated={hydrated ? "" : undefined}
    >
      {(hasValues(all) || fetched) && (
        <div class="wrap chart-head middle apart gap-3-5 below-3">
          {type !== "doughnut" && <Legend series={all.series} />}
          <Controls
            ranges={!props.timeRange ? [] : fetched ? RANGES : dated ? rangesOf(all) : []}
            datePicker={dated && !!props.datePicker}
            accumulative={accumulative}
            available={daysOf(all)}
            shown={daysOf(selected)}
            selection={selection}
            onSelect={onSelect}
            accumulated={accumulated}
            onAccumulate={setAccumulated}
            disabled={!hydrated}
          />
        </div>
      )}
      {filled && error}
      <div class="chart-body stack relative">
        {/* Keeps the height in every state, so that the page doesn't jump. */}
        <svg class="chart-spacer" width="1" height={height} aria-hidden="true" />
        {filled
          ? type === "doughnut" ? <Doughnut {...plot} /> : (
            <PlotArea
              {...plot}
              type={type}
              plain={plain}
              onCodeFailed={() => setCodeFailed(true)}
            />
          )
          : error || (busy
            ? <Skeleton round={type === "doughnut"} height={height} />
            : <StateNote kind="empty" title={props.empty ?? "No data available"} />)}
      </div>
      {table
        ? <DataTable caption={captionOf(name, bin, cumulative)} table={table} folded={!hydrated} />
        : src !== undefined && (
          <p class="chart-noscript">
            This chart needs JavaScript. Its <a href={src} aria-current="false">data</a>{" "}
            is available as JSON.
          </p>
        )}
    </figure>
  );
}

const captionOf = (name: string, bin: Bin | undefined, cumulative: boolean): string =>
  [name, bin && `by ${bin}`, cumulative && "cumulative"].filter(Boolean).join(", ");
