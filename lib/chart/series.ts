import { DAY, parseIsoDate } from "./dates.ts";
import { seriesColor } from "./palette.ts";
import type { ChartData } from "./types.ts";

/** One series, ready to be drawn. */
export interface Series {
  label: string;
  color: string;
  /** As long as the set's `x`; finite numbers, and null for a gap. */
  values: (number | null)[];
}

/** Series over one x axis, as uPlot wants them: x ascends, without repetition. */
export interface SeriesSet {
  /** `time`: x is milliseconds in UTC. `category`: x is the label's index. */
  axis: "time" | "category";
  /** Whether every x is the beginning of a UTC day. */
  daily: boolean;
  x: number[];
  /** The labels in the order of `x`. */
  labels: string[];
  series: Series[];
}

/**
 * Puts the data in order: the axis is one of time when every label is an ISO date; then labels are
 * sorted, and where a label comes twice, its last value counts.
 */
export function toSeries({ labels, datasets }: ChartData): SeriesSet {
  const times = timesOf(labels);
  const order = times === null || isAscending(times) ? null : inOrder(times);
  const pick = <T>(values: T[]) => order === null ? values : order.map((i) => values[i]);
  return {
    axis: times === null ? "category" : "time",
    daily: times !== null && times.every((time) => time % DAY === 0),
    x: pick(times ?? labels.map((_, i) => i)),
    labels: pick(labels),
    series: datasets.map(({ label, data, color }, i) => ({
      label,
      color: color ?? seriesColor(i),
      values: pick(cleaned(data, labels.length)),
    })),
  };
}

/** A chart with more points than this is drawn without splines and points. */
const LONG = 2_000;

/** Whether the set is too long for what costs time or room with each datum. */
export function isLong({ x }: SeriesSet): boolean {
  return x.length > LONG;
}

/** Whether there is anything to draw. */
export function hasValues({ series }: SeriesSet): boolean {
  return series.some(({ values }) => values.some((value) => value !== null));
}

/** The labels as times; null when one of them is none. */
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

/** The indices by time, the last one of each time alone. */
function inOrder(times: number[]): number[] {
  const last = new Map(times.map((time, i) => [time, i]));
  return [...last.keys()].sort((a, b) => a - b).map((time) => last.get(time)!);
}

function cleaned(data: (number | null)[], length: number): (number | null)[] {
  if (data.length === length && data.every((value) => value === null || Number.isFinite(value))) {
    return data;
  }
  return Array.from({ length }, (_, i) => Number.isFinite(data[i]) ? data[i] : null);
}
