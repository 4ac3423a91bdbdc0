import type { ChartData } from "./types.ts";

/** Whether two charts would look the same: a page that renders again makes new objects of old data. */
export function sameData(a: ChartData, b: ChartData): boolean {
  return a === b || sameItems(a.labels, b.labels, Object.is) &&
      sameItems(
        a.datasets,
        b.datasets,
        (one, other) =>
          one.label === other.label && one.color === other.color &&
          sameItems(one.data, other.data, Object.is),
      );
}

function sameItems<T>(a: T[], b: T[], same: (a: T, b: T) => boolean): boolean {
  return a === b || a.length === b.length && a.every((item, i) => same(item, b[i]));
}
