import {
  accumulate,
  dayOf,
  labelFormatter,
  select,
  type Selection,
  type SeriesSet,
  tickFormatter,
  valueFormatter,
} from "../../lib/chart/mod.ts";
import type { ChartOptions } from "../../lib/chart/mod.ts";
import type { Texts } from "./plot_input.ts";

/** The part that is shown, summed up where that is asked for. */
export function viewOf(all: SeriesSet, selection: Selection, accumulated: boolean): SeriesSet {
  const view = select(all, selection);
  return accumulated ? accumulate(view) : view;
}

/** How the texts of a chart over such an axis are written. */
export function textsOf(
  options: Pick<ChartOptions, "currency" | "format">,
  axis: Pick<SeriesSet, "axis" | "daily">,
): Texts {
  return {
    label: labelFormatter(axis),
    value: valueFormatter(options),
    ticks: tickFormatter(options),
  };
}

/** The first and last day of a time series, `YYYY-MM-DD`. */
export function daysOf({ axis, x }: SeriesSet): { start: string; end: string } {
  if (axis === "category" || x.length === 0) return { start: "", end: "" };
  return { start: dayOf(x[0]), end: dayOf(x.at(-1)!) };
}
