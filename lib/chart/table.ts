import { NO_VALUE } from "./format.ts";
import type { SeriesSet } from "./series.ts";

/** So many rows at most: a table of 100,000 helps nobody and stalls the page. */
export const TABLE_ROWS = 400;

/** The chart's figures as a table. */
export interface TableData {
  head: string[];
  /** The label, then a value for each series. */
  rows: string[][];
  /** How many earlier rows were left off. */
  left: number;
}

/**
 * The figures that a chart shows, the last {@linkcode TABLE_ROWS} of them.
 *
 * @param label writes a datum's label, `value` its values
 */
export function tableOf(
  set: SeriesSet,
  label: (set: SeriesSet, index: number) => string,
  value: (value: number | null) => string,
): TableData {
  const left = Math.max(0, set.x.length - TABLE_ROWS);
  return {
    head: [set.axis === "time" ? "Date" : "Name", ...set.series.map(({ label }) => label)],
    rows: set.x.slice(left).map((_, i) => [
      label(set, left + i) || NO_VALUE,
      ...set.series.map(({ values }) => value(values[left + i])),
    ]),
    left,
  };
}
