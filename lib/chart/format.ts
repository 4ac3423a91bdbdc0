import type { SeriesSet } from "./series.ts";
import type { ChartOptions, ValueFormat } from "./types.ts";

const LOCALE = "en-US";
/** From here on the value axis writes 12K for 12,000. */
const COMPACT_FROM = 10_000;

/** What stands for a gap. */
export const NO_VALUE = "–";

type NumberStyle = Pick<ChartOptions, "currency" | "format">;

/** The digits of a value in full; an amount has its currency's. What is small does not become 0. */
const DIGITS: Record<ValueFormat, Intl.NumberFormatOptions> = {
  number: {
    maximumFractionDigits: 2,
    maximumSignificantDigits: 3,
    roundingPriority: "morePrecision",
  },
  integer: { maximumFractionDigits: 0 },
  percent: { maximumFractionDigits: 1 },
  compact: { maximumFractionDigits: 1, notation: "compact" },
};

/** Writes a value in full, as the tooltip and the table show it. */
export function valueFormatter(style: NumberStyle): (value: number | null) => string {
  const { currency, format = "number" } = style;
  const own = currency !== undefined && format === "number";
  const formatter = numberFormat(style, own ? {} : DIGITS[format]);
  return (value) => value === null ? NO_VALUE : formatter.format(value);
}

/** Writes the marks of the value axis, with no more digits than tell them apart. */
export function tickFormatter(style: NumberStyle): (ticks: number[]) => string[] {
  return (ticks) => {
    const write = (digits: Intl.NumberFormatOptions) => {
      const formatter = numberFormat(style, digits);
      return ticks.map((tick) => formatter.format(tick));
    };
    if (ticks.some((tick) => Math.abs(tick) >= COMPACT_FROM)) {
      const texts = write({
        notation: "compact",
        minimumFractionDigits: 0,
        maximumFractionDigits: 2,
      });
      if (new Set(texts).size === texts.length) return texts;
    }
    const unit = style.format === "percent" ? 100 : 1;
    const digits = decimals(Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) * unit);
    return write({ minimumFractionDigits: digits, maximumFractionDigits: digits });
  };
}

function numberFormat({ currency, format }: NumberStyle, digits: Intl.NumberFormatOptions) {
  return new Intl.NumberFormat(LOCALE, {
    style: format === "percent" ? "percent" : currency === undefined ? "decimal" : "currency",
    currency,
    signDisplay: "negative", // no minus before a zero
    ...digits,
  });
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
