/** Converts chart data to the series that are drawn, and sums long ones by week or month. */
import { DAY_MS, dayOf } from "../../base/time.ts";
import type { ChartData } from "./data.ts";
import { parseIsoDate, startOfMonth, startOfWeek } from "./dates.ts";
import { createSum } from "./sum.ts";

/** Primary, secondary and tertiary colour of spec 2.5, then further distinct hues. */
const SERIES_COLORS = [
  "#4ecdc4",
  "#f7b731",
  "#8b95a5",
  "#5b8def",
  "#e5738a",
  "#9b7ede",
  "#5fb878",
  "#e08e57",
] as const;

/** A chart with more points draws straight lines without point markers. */
const LONG = 2_000;

/** The period over which the values of a long series of bars are summed. */
export type Bin = "week" | "month";

/** With more bars, they are too thin to tell apart. */
const MAX_BARS = 120;

/** One series of a set. */
export interface Series {
  label: string;
  color: string;
  /** One value for each `x` of the set: a finite number, or null for a gap. */
  values: (number | null)[];
}

/** Series over one x axis in the form that uPlot needs: x values are unique and ascending. */
export interface SeriesSet {
  /** `time`: x is milliseconds in UTC. `category`: x is the index of the label. */
  axis: "time" | "category";
  /** True if every x is the start of a UTC day. */
  daily: boolean;
  /** Set if each point is the total of a week or month. */
  bin?: Bin;
  x: number[];
  labels: string[];
  series: Series[];
}

/** Returns the colour of the series at an index. Colours repeat after the end of the palette. */
export function seriesColor(index: number): string {
  return SERIES_COLORS[index % SERIES_COLORS.length];
}

/**
 * Converts chart data to series. If every label is an ISO date, the axis is a time axis: labels are
 * sorted, and the last value of a repeated label wins.
 */
export function toSeries({ labels, datasets }: ChartData): SeriesSet {
  const times = timesOf(labels);
  const order = times === null || isAscending(times) ? null : sortedIndices(times);
  const pick = <T>(values: T[]) => order === null ? values : order.map((i) => values[i]);
  return {
    axis: times === null ? "category" : "time",
    daily: times !== null && times.every((time) => time % DAY_MS === 0),
    x: pick(times ?? labels.map((_, i) => i)),
    labels: pick(labels),
    series: datasets.map(({ label, data, color }, i) => ({
      label,
      color: color ?? seriesColor(i),
      values: pick(cleaned(data, labels.length)),
    })),
  };
}

/** Returns whether the set is too long to spend time or space on each point. */
export function isLong({ x }: SeriesSet): boolean {
  return x.length > LONG;
}

/** Returns whether a set has any value to draw. */
export function hasValues({ series }: SeriesSet): boolean {
  return series.some(({ values }) => values.some((value) => value !== null));
}

/**
 * Returns a time series with at most about {@link MAX_BARS} bars. Longer series are summed by UTC week,
 * starting on Monday, or by month if there are too many weeks. Other series are returned unchanged.
 */
export function binForBars(set: SeriesSet): SeriesSet {
  if (set.axis === "category" || set.x.length <= MAX_BARS) return set;
  const weeks = (set.x.at(-1)! - set.x[0]) / (7 * DAY_MS);
  return binned(set, weeks <= MAX_BARS ? "week" : "month");
}

function binned(set: SeriesSet, bin: Bin): SeriesSet {
  const starts = set.x.map((time) => bin === "week" ? startOfWeek(time) : startOfMonth(time));
  const x = [...new Set(starts)];
  const indices = new Map(x.map((start, i) => [start, i]));
  const series = set.series.map((each) => {
    const values: (number | null)[] = x.map(() => null);
    const sums = x.map(createSum);
    each.values.forEach((value, i) => {
      const index = indices.get(starts[i])!;
      if (value !== null) values[index] = sums[index](value);
    });
    return { ...each, values };
  });
  return { ...set, x, labels: x.map(dayOf), series, daily: true, bin };
}

/** Returns the running totals from the first point of the set. A gap stays a gap and adds nothing. */
export function accumulate(set: SeriesSet): SeriesSet {
  return {
    ...set,
    series: set.series.map((series) => ({ ...series, values: runningTotal(series.values) })),
  };
}

function runningTotal(values: (number | null)[]): (number | null)[] {
  const add = createSum();
  return values.map((value) => value === null ? null : add(value));
}

function timesOf(labels: string[]): number[] | null {
  const times: number[] = [];
  for (const label of labels) {
    const time = parseIsoDate(label);
    if (time === null) return null;
    times.push(time);
  }
  return times.length > 0 ? times : null;
}

function isAscending(times: number[]): boolean {
  return times.every((time, i) => i === 0 || time > times[i - 1]);
}

/** Returns the indices sorted by time, with only the last index of each time. */
function sortedIndices(times: number[]): number[] {
  const last = new Map(times.map((time, i) => [time, i]));
  return [...last.keys()].sort((a, b) => a - b).map((time) => last.get(time)!);
}

function cleaned(data: (number | null)[], length: number): (number | null)[] {
  if (data.length === length && data.every((value) => value === null || Number.isFinite(value))) {
    return data;
  }
  return Array.from({ length }, (_, i) => Number.isFinite(data[i]) ? data[i] : null);
}
