/** The kinds of chart (spec 2.5). */
export type ChartType = "line" | "bar" | "doughnut" | "area";

/** One series of values, one for each label. */
export interface Dataset {
  /** What the values are; the legend, the tooltip and the table name it. */
  label: string;
  /** `null` is a gap; so is whatever is missing or not finite. */
  data: (number | null)[];
  /** Any CSS colour; default: the next one of the palette. */
  color?: string;
}

/** What a chart draws. */
export interface ChartData {
  /**
   * ISO 8601 dates or times make a time axis, in UTC and in whatever order; any other strings are
   * categories, which keep their order.
   */
  labels: string[];
  datasets: Dataset[];
}

/** How values are written: `percent` takes 0.25 for 25%. */
export type ValueFormat = "number" | "integer" | "percent" | "compact";

/** Plain data, so that a page can hand it to the island. */
export interface ChartOptions {
  /** ISO 4217 code: values are amounts of it. */
  currency?: string;
  /** Default: amounts with the currency's decimals, else numbers with up to two, or three digits. */
  format?: ValueFormat;
  /** The accessible name. The visible title is the page's (spec 2.5). */
  label?: string;
  /** An address of this site that answers {@linkcode ChartData} as JSON; it takes `data`'s place. */
  src?: string;
}

/** The properties of the chart (spec 2.5, sections 3 and 8). */
export interface ChartProps {
  type: ChartType;
  data: ChartData;
  options?: ChartOptions;
  /** Shows the pills 7D, 30D, 90D, YTD and All, 30D to begin with. Default: all data, no pills. */
  timeRange?: boolean;
  /** Shows a start and an end date to choose. Default false. */
  datePicker?: boolean;
  /** Shows the cumulative toggle. Default false. */
  accumulative?: boolean;
  /** Of the plot, in CSS pixels; default 300, at least 200. */
  height?: number;
  /** Shows the skeleton, or, once there was a plot, keeps that one and marks it busy. */
  loading?: boolean;
  /** What an empty chart says; default "No data available". */
  empty?: string;
}
