/** The positions and labels of the ticks of time and category axes. */
import { DAY_MS, formatDay, HOUR_MS, MINUTE_MS } from "../../base/time.ts";

export interface Ticks {
  at: number[];
  labels: string[];
  /** True if the labels fit only if they are slanted. */
  slanted?: boolean;
}

type Unit = "minute" | "hour" | "day" | "month" | "year";

/** Minimum length of each unit in milliseconds. */
const LENGTH: Record<Unit, number> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  month: 28 * DAY_MS,
  year: 365 * DAY_MS,
};
/** The possible distances between two ticks. */
const STEPS: [Unit, number[]][] = [
  ["minute", [1, 5, 15, 30]],
  ["hour", [1, 3, 6, 12]],
  ["day", [1, 2, 7, 14]],
  ["month", [1, 3, 6]],
  ["year", [1, 2, 5, 10, 25, 100]],
];
const MONDAY = 4; // days from the start of 1970 to the first Monday
const MAX_LABEL_LENGTH = 14;

/**
 * Returns ticks at the starts of UTC minutes, hours, days, months or years: the smallest of these
 * steps with at most `limit` ticks. All times are in milliseconds.
 *
 * @param finest minimum distance between ticks: the step of the data
 */
export function timeTicks(from: number, to: number, limit: number, finest = 0): Ticks {
  let finer: Ticks = { at: [], labels: [] };
  for (const [unit, counts] of STEPS) {
    for (const count of counts) {
      const length = LENGTH[unit] * count;
      if (length < finest * 0.9 || (to - from) / length > 4 * limit + 8) continue;
      const at = tickTimes(from, to, unit, count);
      const ticks = { at, labels: at.map((time, i) => tickLabel(time, unit, i === 0)) };
      if (at.length > limit) finer = ticks;
      else return at.length < 2 && finer.at.length > 0 ? thinned(finer, limit) : ticks;
    }
  }
  return thinned(finer, limit);
}

/** Returns every n-th tick, so that at most `limit` but at least one remain. */
function thinned({ at, labels }: Ticks, limit: number): Ticks {
  const every = Math.ceil(at.length / Math.max(1, Math.floor(limit)));
  const kept = <T>(items: T[]) => items.filter((_, i) => i % every === 0);
  return { at: kept(at), labels: kept(labels) };
}

function tickTimes(from: number, to: number, unit: Unit, count: number): number[] {
  const at: number[] = [];
  const months = unit === "month" ? count : unit === "year" ? 12 * count : 0;
  const step = months || LENGTH[unit] * count;
  const origin = unit === "day" && count > 2 ? MONDAY * DAY_MS : 0;
  const first = new Date(from);
  const start = months > 0
    ? (first.getUTCFullYear() - 1900) * 12 + first.getUTCMonth()
    : from - origin;
  for (let tick = Math.ceil(start / step) * step;; tick += step) {
    const time = months > 0 ? Date.UTC(0, tick) : tick + origin; // Date.UTC reads year 0 as 1900
    if (time > to) return at;
    if (time >= from) at.push(time);
  }
}

function tickLabel(time: number, unit: Unit, first: boolean): string {
  const date = new Date(time);
  const iso = date.toISOString();
  if (unit === "year") return String(date.getUTCFullYear());
  if (unit === "month") {
    return formatDay(iso, first || date.getUTCMonth() === 0 ? "shortMonth" : "shortMonthName");
  }
  if (unit === "day" || time % DAY_MS === 0) return formatDay(iso, "shortDay");
  return iso.slice(11, 16);
}

/** Space between two slanted labels in CSS pixels. */
const SLANTED_DISTANCE = 16;

/**
 * Returns a tick for each category. Labels that do not fit next to each other are slanted. If slanted
 * labels do not fit either, only every n-th category has a label.
 */
export function categoryTicks(labels: string[], width: number, characterWidth: number): Ticks {
  const short = labels.map((label) =>
    label.length > MAX_LABEL_LENGTH ? `${label.slice(0, MAX_LABEL_LENGTH - 1)}…` : label
  );
  const longest = short.reduce((longest, { length }) => Math.max(longest, length), 1);
  const all = { at: [...labels.keys()], labels: short };
  if (labels.length <= width / (longest * characterWidth + 14)) return all;
  return { ...thinned(all, width / SLANTED_DISTANCE), slanted: true };
}
