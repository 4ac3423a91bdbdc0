/** The kinds of chart (spec 2.5). */
export type ChartType = "line" | "bar" | "doughnut" | "area";

/** One series of values, one for each label. */
export interface Dataset {
  label: string;
  /** `null` is a gap, and so is a missing or non-finite value. */
  data: (number | null)[];
  /** Any CSS colour. Defaults to the next colour of the palette. */
  color?: string;
}

/** The data of a chart, as callers give it. */
export interface ChartData {
  /**
   * If all of them are ISO 8601 dates or times, in any order, the axis is a time axis in UTC.
   * Otherwise they are categories and keep their order.
   */
  labels: string[];
  datasets: Dataset[];
}

/** How values are formatted. `percent` formats 0.25 as 25%. */
export type ValueFormat = "number" | "integer" | "percent" | "compact";

/** Options of a chart: plain data, so that a page can pass them to the island. */
export interface ChartOptions {
  /** ISO 4217 code. If set, values are amounts in this currency. */
  currency?: string;
  /**
   * Defaults to `number`: amounts get the decimals of their currency, other numbers at most two
   * decimals or three significant digits.
   */
  format?: ValueFormat;
  /** The accessible name. The page renders the visible title (spec 2.5). */
  label?: string;
  /** URL on this site that returns {@linkcode ChartData} as JSON to replace `data`. */
  src?: string;
}

/** The properties of the chart (spec 2.5, 3 and 8). */
export interface ChartProps {
  type: ChartType;
  data: ChartData;
  options?: ChartOptions;
  /** Shows the range pills and starts with 30D. Without it the chart shows all data. */
  timeRange?: boolean;
  /** Shows inputs for a start and an end date. Defaults to false. */
  datePicker?: boolean;
  /** Shows the cumulative toggle. Defaults to false. */
  accumulative?: boolean;
  /** Height of the plot in CSS pixels, at least 200. Defaults to 300. */
  height?: number;
  /** Shows a skeleton; if a plot is already shown, keeps it and marks it as busy. */
  loading?: boolean;
  /** Message of an empty chart. Defaults to "No data available". */
  empty?: string;
}

/**
 * Returns a JSON value as chart data, or null if it isn't chart data. It runs in the browser, where
 * a schema library would be larger than the rest of the chart.
 */
export function parseChartData(value: unknown): ChartData | null {
  const { labels, datasets } = (value ?? {}) as Record<string, unknown>;
  return isArrayOf(labels, isString) && isArrayOf(datasets, isDataset)
    ? { labels, datasets }
    : null;
}

function isDataset(value: unknown): value is Dataset {
  const { label, data, color } = (value ?? {}) as Record<string, unknown>;
  return isString(label) && isArrayOf(data, isNumberOrNull) &&
    (color === undefined || isString(color));
}

function isArrayOf<T>(value: unknown, is: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}

const isString = (value: unknown) => typeof value === "string";
const isNumberOrNull = (value: unknown) => value === null || typeof value === "number";

/** Returns whether two sets of data are equal. A page that re-renders creates new, equal objects. */
export function equalData(a: ChartData, b: ChartData): boolean {
  return a === b || equalItems(a.labels, b.labels, Object.is) &&
      equalItems(
        a.datasets,
        b.datasets,
        (one, other) =>
          one.label === other.label && one.color === other.color &&
          equalItems(one.data, other.data, Object.is),
      );
}

function equalItems<T>(a: T[], b: T[], equal: (a: T, b: T) => boolean): boolean {
  return a === b || a.length === b.length && a.every((item, i) => equal(item, b[i]));
}
