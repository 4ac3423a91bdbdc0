import type { SeriesSet } from "./series.ts";
import type { ChartOptions } from "./types.ts";

const LOCALE = "en-US";
/** From here on the value axis writes 12K for 12,000. */
const COMPACT_FROM = 10_000;

/** What stands for a gap. */
export const NO_VALUE = "–";

/** Writes a value in full, as the tooltip and the table show it. */
export function valueFormatter(
  { currency, format }: Pick<ChartOptions, "currency" | "format">,
): (value: number | null) => string {
  const formatter = new Intl.NumberFormat(LOCALE, {
    ...(currency !== undefined && { style: "currency", currency }),
    ...(format === "percent" && { style: "percent", maximumFractionDigits: 1 }),
    ...(format === "integer" && { maximumFractionDigits: 0 }),
    ...(format === "compact" && { notation: "compact", maximumFractionDigits: 1 }),
    ...(currency === undefined && (format ?? "number") === "number" &&
      { maximumFractionDigits: 2 }),
    signDisplay: "negative", // no minus before a zero
  });
  return (value) => value === null ? NO_VALUE : formatter.format(value);
}

/** Writes the marks of the value axis, with no more digits than tell them apart. */
export function tickFormatter(
  { currency, format }: Pick<ChartOptions, "currency" | "format">,
): (ticks: number[]) => string[] {
  const style: Intl.NumberFormatOptions = format === "percent"
    ? { style: "percent" }
    : currency === undefined
    ? {}
    : { style: "currency", currency };
  return (ticks) => {
    const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) * (format === "percent" ? 100 : 1);
    const compact = ticks.some((tick) => Math.abs(tick) >= COMPACT_FROM);
    const digits = decimals(step);
    const formatter = new Intl.NumberFormat(LOCALE, {
      ...style,
      ...(compact
        ? { notation: "compact", minimumFractionDigits: 0, maximumFractionDigits: 2 }
        : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
      signDisplay: "negative",
    });
    return ticks.map((tick) => formatter.format(tick));
  };
}

/** Writes a datum's label in full: the day, with the time where the data have one, in UTC. */
export function labelFormatter(
  { axis, daily }: Pick<SeriesSet, "axis" | "daily">,
): (set: SeriesSet, index: number) => string {
  if (axis === "category") return (set, index) => set.labels[index];
  const formatter = new Intl.DateTimeFormat(LOCALE, {
    dateStyle: "medium",
    ...(!daily && { timeStyle: "short", hourCycle: "h23" }),
    timeZone: "UTC",
  });
  const zone = daily ? "" : " UTC";
  return (set, index) => formatter.format(set.x[index]) + zone;
}

/** How many decimals write a step of 1, 2, 2.5 or 5 times a power of ten. */
function decimals(step: number): number {
  for (let digits = 0; digits < 6; digits++) {
    const scaled = step * 10 ** digits;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6) return digits;
  }
  return 6;
}
