import type uPlot from "uplot";
import type { SeriesSet } from "../../lib/chart/series.ts";
import { LENGTH } from "../../lib/chart/ticks.ts";

/** The data as uPlot takes them. */
export function dataOf({ x, series }: SeriesSet): uPlot.AlignedData {
  return [x, ...series.map(({ values }) => values)];
}

/** Bars and areas stand on zero; a line fills the height. */
export function valueRange(
  min: number | null,
  max: number | null,
  fromZero: boolean,
): [number, number] {
  if (min === null || max === null) return [0, 1];
  const [low, high] = fromZero ? [Math.min(0, min), Math.max(0, max)] : [min, max];
  const pad = low === high ? Math.abs(low) / 2 : (high - low) * 0.08;
  return pad === 0
    ? [0, 1]
    : [fromZero && low === 0 ? 0 : low - pad, fromZero && high === 0 ? 0 : high + pad];
}

/** The data's own step on the x axis: the smallest distance between two of them. */
export function smallestStep({ axis, x }: SeriesSet): number {
  let step = Infinity;
  for (let i = 1; i < x.length; i++) step = Math.min(step, x[i] - x[i - 1]);
  return step < Infinity ? step : axis === "time" ? LENGTH.day : 1;
}

/** A point between two gaps has no line to be seen by, so it is drawn wherever points are not. */
export function lonePoints({ series }: SeriesSet): number[][] {
  return series.map(({ values }) => {
    const lone: number[] = [];
    const isGap = (i: number) => (values[i] ?? null) === null;
    for (let i = 0; i < values.length; i++) {
      if (!isGap(i) && isGap(i - 1) && isGap(i + 1)) lone.push(i);
    }
    return lone;
  });
}
