/** The time ranges that a chart offers, and the part of its data that one of them selects. */
import { DAY_MS, dayOf } from "../../base/time.ts";
import { parseIsoDate, startOfDay, utcDay } from "./dates.ts";
import type { SeriesSet } from "./series.ts";

/** The time ranges in the order of their pills (spec 2.5). */
export const RANGES = ["7D", "30D", "90D", "YTD", "All"] as const;
export type Range = typeof RANGES[number];

/** Spec 8. */
export const DEFAULT_RANGE: Range = "30D";

/** The first and last day of a range as `YYYY-MM-DD`; an empty string means no limit. */
export interface DayRange {
  start: string;
  end: string;
}

/** The part of the data to show: the range of a pill, or the days that the visitor chose. */
export type Selection = { range: Range } | DayRange;

/** The first and last millisecond. */
type Bounds = [from: number, to: number];

/** Returns the selected part of a time series, and categories unchanged. */
export function select(set: SeriesSet, selection: Selection): SeriesSet {
  if (set.axis === "category" || set.x.length === 0) return set;
  const [from, to] = "range" in selection
    ? rangeBounds(selection.range, set.x.at(-1)!)
    : dayBounds(selection);
  const first = firstIndex(set.x, (x) => x >= from);
  const end = firstIndex(set.x, (x) => x > to);
  if (first === 0 && end === set.x.length) return set;
  const cut = <T>(items: T[]) => items.slice(first, end);
  return {
    ...set,
    x: cut(set.x),
    labels: cut(set.labels),
    series: set.series.map((series) => ({ ...series, values: cut(series.values) })),
  };
}

/** Returns the ranges to choose from: of those that show the whole time series, only the shortest. */
export function rangesOf(set: SeriesSet): Range[] {
  const whole = RANGES.find((range) => select(set, { range }) === set);
  return RANGES.filter((range) => range === whole || select(set, { range }) !== set);
}

/** Returns the first and last day of a time series, or empty strings for any other series. */
export function daysOf({ axis, x }: SeriesSet): DayRange {
  if (axis === "category" || x.length === 0) return { start: "", end: "" };
  return { start: dayOf(x[0]), end: dayOf(x.at(-1)!) };
}

/**
 * Counts a range back from the last point in whole UTC days: 7D is the day of the last point and
 * the six days before it. YTD starts with the year of the last point.
 */
function rangeBounds(range: Range, last: number): Bounds {
  if (range === "All") return [-Infinity, last];
  if (range === "YTD") return [utcDay(new Date(last).getUTCFullYear(), 0, 1), last];
  return [startOfDay(last) - (parseInt(range) - 1) * DAY_MS, last];
}

function dayBounds({ start, end }: DayRange): Bounds {
  const lastDay = parseIsoDate(end);
  return [parseIsoDate(start) ?? -Infinity, lastDay === null ? Infinity : lastDay + DAY_MS - 1];
}

/** Returns the first index at which `passes` is true, by binary search; it must stay true from there. */
function firstIndex(x: number[], passes: (value: number) => boolean): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(x[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
