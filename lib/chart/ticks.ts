/** Marks on an axis and what stands at each. */
export interface Ticks {
  at: number[];
  labels: string[];
}

type Unit = "minute" | "hour" | "day" | "month" | "year";

/** In milliseconds, a month and a year the least that they can be. */
export const LENGTH: Record<Unit, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  month: 28 * 86_400_000,
  year: 365 * 86_400_000,
};
/** So many of a unit may lie between two marks. */
const STEPS: [Unit, number[]][] = [
  ["minute", [1, 5, 15, 30]],
  ["hour", [1, 3, 6, 12]],
  ["day", [1, 2, 7, 14]],
  ["month", [1, 3, 6]],
  ["year", [1, 2, 5, 10, 25, 100]],
];
const MONDAY = 4; // the fifth day of 1970 was the first Monday

/**
 * Marks at the beginnings of UTC minutes, hours, days, months or years, whichever are the finest
 * of which at most `limit` fit.
 *
 * @param from in milliseconds
 * @param to in milliseconds
 * @param finest marks lie no closer than this, in milliseconds: the data's own step
 */
export function timeTicks(from: number, to: number, limit: number, finest = 0): Ticks {
  let finer: Ticks = { at: [], labels: [] };
  for (const [unit, counts] of STEPS) {
    for (const count of counts) {
      const length = LENGTH[unit] * count;
      if (length < finest * 0.9 || (to - from) / length > 4 * limit + 8) continue;
      const at = marks(from, to, unit, count);
      const ticks = { at, labels: at.map((time, i) => text(time, unit, i === 0)) };
      if (at.length > limit) finer = ticks;
      else return at.length < 2 && finer.at.length > 0 ? thinned(finer, limit) : ticks;
    }
  }
  return thinned(finer, limit);
}

/** Every so many of the marks, so that there are at most `limit`, but at least one. */
function thinned({ at, labels }: Ticks, limit: number): Ticks {
  const every = Math.ceil(at.length / Math.max(1, Math.floor(limit)));
  const kept = <T>(items: T[]) => items.filter((_, i) => i % every === 0);
  return { at: kept(at), labels: kept(labels) };
}

function marks(from: number, to: number, unit: Unit, count: number): number[] {
  const at: number[] = [];
  const months = unit === "month" ? count : unit === "year" ? 12 * count : 0;
  const step = months || LENGTH[unit] * count;
  const origin = unit === "day" && count > 2 ? MONDAY * LENGTH.day : 0;
  const first = new Date(from);
  const begin = months > 0
    ? (first.getUTCFullYear() - 1900) * 12 + first.getUTCMonth()
    : from - origin;
  for (let mark = Math.ceil(begin / step) * step;; mark += step) {
    const time = months > 0 ? Date.UTC(0, mark) : mark + origin; // which counts months since 1900
    if (time > to) return at;
    if (time >= from) at.push(time);
  }
}

function text(time: number, unit: Unit, first: boolean): string {
  // As in "Mon, 09 Mar 2026 14:05:00 GMT", which the language's standard prescribes.
  const [, date, month, year, clock] = new Date(time).toUTCString().split(" ");
  if (unit === "year") return year;
  if (unit === "month") return first || month === "Jan" ? `${month} ${year}` : month;
  if (unit === "day" || time % LENGTH.day === 0) return `${month} ${Number(date)}`;
  return clock.slice(0, 5);
}

const LONGEST = 14;

/**
 * Every so many categories, as many as fit beside each other.
 *
 * @param width of the axis in CSS pixels
 * @param character width of one in CSS pixels
 */
export function categoryTicks(labels: string[], width: number, character: number): Ticks {
  const short = labels.map((label) =>
    label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label
  );
  const longest = short.reduce((longest, { length }) => Math.max(longest, length), 1);
  return thinned({ at: [...labels.keys()], labels: short }, width / (longest * character + 14));
}
