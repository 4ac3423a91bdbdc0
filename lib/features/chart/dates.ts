/** Parses the dates of a chart's labels, and finds the start of a day, week or month in UTC. */
import { DAY_MS } from "../../base/time.ts";

const ISO = /^\d{4}-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?$/;

/**
 * Parses an ISO 8601 date (`2026-03`, `2026-03-09`) or time. A time without an offset is in UTC.
 *
 * The two most common forms are parsed without a regular expression, because that is much faster for
 * long series.
 *
 * @returns milliseconds since 1970 in UTC, or null if the text is not a valid date
 */
export function parseIsoDate(text: string): number | null {
  const dashed = text[4] === "-" && text[7] === "-";
  if (dashed && text.length === 10) return parseDay(text);
  if (dashed && text.length === 24 && text[10] === "T" && text[23] === "Z") return parseTime(text);
  const match = ISO.exec(text);
  if (match === null || text.length > 10 && parseDay(text) === null) return null;
  const time = Date.parse(match[2] !== undefined && match[5] === undefined ? `${text}Z` : text);
  return numberOrNull(time);
}

function parseDay(text: string): number | null {
  const month = digits(text, 5, 7) - 1;
  const date = digits(text, 8, 10);
  const time = utcDay(digits(text, 0, 4), month, date);
  const overflows = date > 28 && new Date(time).getUTCMonth() !== month; // such as 30 February
  return overflows || !(month >= 0 && month < 12 && date > 0) ? null : numberOrNull(time);
}

/** Parses a time as `toISOString` writes it. */
function parseTime(text: string): number | null {
  const day = parseDay(text);
  const [hour, minute] = [digits(text, 11, 13), digits(text, 14, 16)];
  const second = digits(text, 17, 19) + digits(text, 20, 23) / 1000;
  if (day === null || !(hour < 24 && minute < 60 && second < 60)) return null;
  return day + Math.round(((hour * 60 + minute) * 60 + second) * 1000);
}

/**
 * Returns the start of a day in UTC. `Date.UTC` reads the years 0 to 99 as those from 1900 on, but months without limit.
 *
 * @param month from 0
 */
export const utcDay = (year: number, month: number, date: number): number =>
  year < 100 ? Date.UTC(1900, (year - 1900) * 12 + month, date) : Date.UTC(year, month, date);

function numberOrNull(time: number): number | null {
  return Number.isNaN(time) ? null : time;
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    value = value * 10 + digit;
  }
  return value;
}

export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** Returns the start of the Monday of a UTC week. */
export function startOfWeek(time: number): number {
  const sinceMonday = (new Date(time).getUTCDay() + 6) % 7;
  return startOfDay(time) - sinceMonday * DAY_MS;
}

/** Returns the start of the first day of a UTC month. */
export function startOfMonth(time: number): number {
  const date = new Date(time);
  return utcDay(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
