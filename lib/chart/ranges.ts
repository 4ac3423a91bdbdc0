import { DAY, parseIsoDate, startOfDay } from "./dates.ts";
import type { SeriesSet } from "./series.ts";

/** The time-range pills, in their order (spec 2.5). */
export const RANGES = ["7D", "30D", "90D", "YTD", "All"] as const;
export type Range = typeof RANGES[number];

/** Spec 8. */
export const DEFAULT_RANGE: Range = "30D";

/** Both ends belong to it; milliseconds in UTC. */
export interface Bounds {
  from: number;
  to: number;
}

/** What is shown: a pill's range, or the days that a visitor chose (`YYYY-MM-DD`, "" for open). */
export type Selection = { range: Range } | { start: string; end: string };

/**
 * A range counts back from the last datum in whole UTC days, that datum's day included: 7D is that
 * day and the six before it. YTD begins with that datum's year.
 *
 * @param last time of the last datum
 */
export function boundsOf(range: Range, last: number): Bounds {
  if (range === "All") return { from: -Infinity, to: last };
  if (range === "YTD") return { from: Date.UTC(new Date(last).getUTCFullYear(), 0, 1), to: last };
  return { from: startOfDay(last) - (parseInt(range) - 1) * DAY, to: last };
}

/** The bounds of chosen days, the last one to its end; what is no date leaves its side open. */
function customBounds(start: string, end: string): Bounds {
  const last = parseIsoDate(end);
  return {
    from: parseIsoDate(start) ?? -Infinity,
    to: last === null ? Infinity : last + DAY - 1,
  };
}

/** The part of a time series within a selection; categories have no ranges and stay whole. */
export function select(set: SeriesSet, selection: Selection): SeriesSet {
  if (set.axis === "category" || set.x.length === 0) return set;
  const { from, to } = "range" in selection
    ? boundsOf(selection.range, set.x.at(-1)!)
    : customBounds(selection.start, selection.end);
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

/** Where `passes` begins to hold, by halves: it must hold from somewhere to the end. */
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
