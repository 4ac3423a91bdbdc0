/** Marks on an axis and what stands at each. */
export interface Ticks {
  at: number[];
  labels: string[];
}

type Unit = "minute" | "hour" | "day" | "month" | "year";

const LENGTH: Record<Unit, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  month: 28 * 86_400_000,
  year: 365 * 86_400_000,
};
const STEPS: [Unit, number][] = [
  ["minute", 1],
  ["minute", 5],
  ["minute", 15],
  ["minute", 30],
  ["hour", 1],
  ["hour", 3],
  ["hour", 6],
  ["hour", 12],
  ["day", 1],
  ["day", 2],
  ["day", 7],
  ["day", 14],
  ["month", 1],
  ["month", 3],
  ["month", 6],
  ["year", 1],
  ["year", 2],
  ["year", 5],
  ["year", 10],
  ["year", 25],
  ["year", 100],
];
const MONDAY = 4; // the fifth day of 1970 was the first Monday
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"]
  .concat("Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

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
  for (const [unit, count] of STEPS) {
    const length = LENGTH[unit] * count;
    if (length < finest * 0.9 || (to - from) / length > 4 * limit + 8) continue;
    const at = marks(from, to, unit, count);
    const ticks = { at, labels: at.map((time, i) => text(time, unit, i === 0)) };
    if (at.length > limit) finer = ticks;
    else return at.length < 2 && finer.at.length > 0 ? thinned(finer, limit) : ticks;
  }
  return thinned(finer, limit);
}

/** Every so many of the marks, where the next coarser unit has hardly any. */
function thinned({ at, labels }: Ticks, limit: number): Ticks {
  const every = Math.max(1, Math.ceil(at.length / Math.max(1, limit)));
  const kept = <T>(items: T[]) => items.filter((_, i) => i % every === 0);
  return { at: kept(at), labels: kept(labels) };
}

function marks(from: number, to: number, unit: Unit, count: number): number[] {
  const at: number[] = [];
  if (unit === "month" || unit === "year") {
    const step = unit === "month" ? count : count * 12;
    const first = new Date(from);
    let month = first.getUTCFullYear() * 12 + first.getUTCMonth();
    for (month = Math.ceil(month / step) * step;; month += step) {
      const time = Date.UTC(Math.floor(month / 12), month % 12, 1);
      if (time > to) return at;
      if (time >= from) at.push(time);
    }
  }
  const step = LENGTH[unit] * count;
  const origin = unit === "day" && count > 2 ? MONDAY * LENGTH.day : 0;
  for (let time = Math.ceil((from - origin) / step) * step + origin; time <= to; time += step) {
    at.push(time);
  }
  return at;
}

function text(time: number, unit: Unit, first: boolean): string {
  const date = new Date(time);
  const month = MONTHS[date.getUTCMonth()];
  const year = date.getUTCFullYear();
  if (unit === "year") return `${year}`;
  if (unit === "month") return first || month === "Jan" ? `${month} ${year}` : month;
  if (unit === "day" || time % LENGTH.day === 0) return `${month} ${date.getUTCDate()}`;
  return date.toISOString().slice(11, 16);
}

const LONGEST = 14;

/**
 * Every so many categories, as many as fit beside each other.
 *
 * @param from index, may lie between two
 * @param to index, may lie between two
 * @param width of the axis in CSS pixels
 * @param character width of one in CSS pixels
 */
export function categoryTicks(
  labels: string[],
  from: number,
  to: number,
  width: number,
  character: number,
): Ticks {
  const first = Math.max(0, Math.ceil(from));
  const last = Math.min(labels.length - 1, Math.floor(to));
  const short = (label: string) =>
    label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label;
  let longest = 1;
  for (let i = first; i <= last; i++) longest = Math.max(longest, short(labels[i]).length);
  const fitting = Math.max(1, Math.floor(width / (longest * character + 14)));
  const step = Math.max(1, Math.ceil((last - first + 1) / fitting));
  const at: number[] = [];
  for (let i = first; i <= last; i += step) at.push(i);
  return { at, labels: at.map((i) => short(labels[i])) };
}
