/** Formats a chart's numbers and dates: axis ticks, tooltips, and the table of its values. */
import { formatDateTime, formatDay } from "../../base/time.ts";
import type { ChartOptions, ValueFormat } from "./data.ts";
import type { SeriesSet } from "./series.ts";

/** The locale of numbers. */
const LOCALE = "en-US";
/** From this value on, the value axis uses compact notation: 12K instead of 12,000. */
const COMPACT_FROM = 10_000;
/** A table of 100,000 rows would help nobody and block the page. */
export const MAX_TABLE_ROWS = 400;
/** The text for a gap in the data. */
export const NO_VALUE = "–";

type NumberStyle = Pick<ChartOptions, "currency" | "format">;

/** Functions that format the labels and values of a chart. */
export interface Formatters {
  label: (set: SeriesSet, index: number) => string;
  value: (value: number | null) => string;
  /** Formats the ticks of the value axis. */
  ticks: (ticks: number[]) => string[];
}

/** Creates the functions that format a chart's labels, values and ticks. */
export function createFormatters(
  style: NumberStyle,
  axis: Pick<SeriesSet, "axis" | "daily" | "bin">,
): Formatters {
  return {
    label: labelFormatter(axis),
    value: valueFormatter(style),
    ticks: (ticks) => formatTicks(style, ticks),
  };
}

const DIGITS: Record<ValueFormat, Intl.NumberFormatOptions> = {
  number: {
    maximumFractionDigits: 2,
    maximumSignificantDigits: 3, // so that small values don't become 0
    roundingPriority: "morePrecision",
  },
  integer: { maximumFractionDigits: 0 },
  percent: { maximumFractionDigits: 1 },
  compact: { maximumFractionDigits: 1, notation: "compact" },
};

/** Returns a function that formats a value in full, for the tooltip and the table. */
export function valueFormatter(style: NumberStyle): (value: number | null) => string {
  const { currency, format = "number" } = style;
  const currencyDigits = currency !== undefined && format === "number";
  const formatter = numberFormat(style, currencyDigits ? {} : DIGITS[format]);
  return (value) => value === null ? NO_VALUE : formatter.format(value);
}

/** Formats the ticks of the value axis with only as many digits as keep them distinct. */
function formatTicks(style: NumberStyle, ticks: number[]): string[] {
  const write = (digits: Intl.NumberFormatOptions) => {
    const formatter = numberFormat(style, digits);
    return ticks.map((tick) => formatter.format(tick));
  };
  if (ticks.some((tick) => Math.abs(tick) >= COMPACT_FROM)) {
    const texts = write({
      notation: "compact",
      minimumFractionDigits: 0,
      maximumFractionDigits: 3, // steps of 25K at 11M
    });
    if (new Set(texts).size === texts.length) return texts;
  }
  if (style.format === "integer") {
    // Counts are whole numbers, so grid lines between them have no label.
    return write(DIGITS.integer).map((text, i) => Number.isInteger(ticks[i]) ? text : "");
  }
  const unit = style.format === "percent" ? 100 : 1;
  const digits = decimals(Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) * unit);
  return write({ minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * Number formats by their options, as many as charts have styles and currencies. They are kept, because creating one
 * takes as long as formatting dozens of numbers.
 */
const formats: Record<string, Intl.NumberFormat> = {};

function numberFormat({ currency, format }: NumberStyle, digits: Intl.NumberFormatOptions) {
  const options: Intl.NumberFormatOptions = {
    style: format === "percent" ? "percent" : currency === undefined ? "decimal" : "currency",
    currency,
    signDisplay: "negative", // no minus sign before a zero
    ...digits,
  };
  return formats[JSON.stringify(options)] ??= new Intl.NumberFormat(LOCALE, options);
}

/** Returns a function that formats the day of a point, and its UTC time unless the data is daily. */
function labelFormatter(
  { axis, daily, bin }: Pick<SeriesSet, "axis" | "daily" | "bin">,
): Formatters["label"] {
  if (axis === "category") return (set, index) => set.labels[index];
  const isoOf = (set: SeriesSet, index: number) => new Date(set.x[index]).toISOString();
  if (bin === "month") return (set, index) => formatDay(isoOf(set, index), "month");
  const format = daily ? formatDay : formatDateTime;
  const prefix = bin === "week" ? "Week of " : "";
  return (set, index) => prefix + format(isoOf(set, index));
}

/** The most decimal places that all browsers format. */
const MAX_DECIMALS = 20;

/** Returns the decimal places that a step of 1, 2, 2.5 or 5 times a power of ten needs. */
function decimals(step: number): number {
  for (let digits = 0; digits < MAX_DECIMALS; digits++) {
    const scaled = step * 10 ** digits;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits;
  }
  return step === 0 ? 0 : MAX_DECIMALS;
}

/** A chart's data as a table. */
export interface TableData {
  head: string[];
  rows: string[][];
  /** How many earlier rows were left out. */
  omitted: number;
}

/** Returns the last {@linkcode MAX_TABLE_ROWS} points of a chart as a table. */
export function tableOf(set: SeriesSet, { label, value }: Formatters): TableData {
  const omitted = Math.max(0, set.x.length - MAX_TABLE_ROWS);
  return {
    head: [set.axis === "time" ? "Date" : "Name", ...set.series.map(({ label }) => label)],
    rows: set.x.slice(omitted).map((_, i) => [
      label(set, omitted + i) || NO_VALUE,
      ...set.series.map(({ values }) => value(values[omitted + i])),
    ]),
    omitted,
  };
}
