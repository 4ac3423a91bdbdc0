import type { ChartData, Dataset } from "./types.ts";

/**
 * Checks what `options.src` answered. By hand, because it runs in the browser, where a schema
 * library would weigh more than the rest of the chart.
 *
 * @throws {TypeError} when it is no {@linkcode ChartData}
 */
export function parseChartData(value: unknown): ChartData {
  const { labels, datasets } = (value ?? {}) as Record<string, unknown>;
  if (!isArrayOf(labels, isString) || !isArrayOf(datasets, isDataset)) {
    throw new TypeError("This is no chart data.");
  }
  return { labels, datasets };
}

function isDataset(value: unknown): value is Dataset {
  const { label, data, color } = (value ?? {}) as Record<string, unknown>;
  return isString(label) && isArrayOf(data, isNumberOrNull) &&
    (color === undefined || isString(color));
}

function isArrayOf<T>(value: unknown, is: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isNumberOrNull(value: unknown): value is number | null {
  return value === null || typeof value === "number";
}
