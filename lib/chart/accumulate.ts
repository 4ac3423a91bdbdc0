import type { SeriesSet } from "./series.ts";

/** Running totals from the set's first datum on. A gap stays one and adds nothing. */
export function accumulate(set: SeriesSet): SeriesSet {
  return {
    ...set,
    series: set.series.map((series) => ({ ...series, values: runningTotal(series.values) })),
  };
}

function runningTotal(values: (number | null)[]): (number | null)[] {
  let total = 0;
  let lost = 0; // what rounding has dropped so far (Neumaier's sum), so that cents do not drift
  return values.map((value) => {
    if (value === null) return null;
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? (total - next) + value : (value - next) + total;
    total = next;
    return total + lost;
  });
}
