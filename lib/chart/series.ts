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
  const times = parseAll(labels);
  const order = times === null || isAscending(times) ? null : inOrder(times);
  const pick = <T>(values: readonly T[]) => order === null ? values : order.map((i) => values[i]);
  const x = times === null ? labels.map((_, i) => i) : pick(times);
  return {
    axis: times === null ? "category" : "time",
    daily: times !== null && times.every((time) => time % DAY === 0),
    x: x as number[],
    labels: pick(labels) as string[],
    series: datasets.map(({ label, data, color }, i) => ({
      label,
      color: color ?? seriesColor(i),
      values: pick(cleaned(data, labels.length)) as (number | null)[],
    })),
  };
}

/** Whether there is anything to draw. */
export function hasValues({ series }: SeriesSet): boolean {
  return series.some(({ values }) => values.some((value) => value !== null));
}

function parseAll(labels: string[]): number[] | null {
  if (labels.length === 0) return null;
  const times = new Array<number>(labels.length);
  for (let i = 0; i < labels.length; i++) {
    const time = parseIsoDate(labels[i]);
    if (time === null) return null;
    times[i] = time;
  }
  return times;
}

function isAscending(times: number[]): boolean {
  for (let i = 1; i < times.length; i++) if (times[i] <= times[i - 1]) return false;
  return true;
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
