/** A day in milliseconds. */
export const DAY = 86_400_000;

const ISO = /^\d{4}-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?$/;

/**
 * Reads an ISO 8601 date (`2026-03`, `2026-03-09`) or time. A time without an offset is in UTC.
 *
 * @returns milliseconds since 1970 in UTC, or null when the text is no such date
 */
export function parseIsoDate(text: string): number | null {
  const dashed = text[4] === "-" && text[7] === "-";
  if (dashed && text.length === 10) return day(text);
  if (dashed && text.length === 24 && text[10] === "T" && text[23] === "Z") return instant(text);
  const match = ISO.exec(text);
  if (match === null || text.length > 10 && day(text) === null) return null;
  const time = Date.parse(match[2] !== undefined && match[5] === undefined ? `${text}Z` : text);
  return valid(time);
}

/** The text's day, by hand: far faster than by a pattern, and long series have many. */
function day(text: string): number | null {
  const month = digits(text, 5, 7) - 1;
  const date = digits(text, 8, 10);
  const time = Date.UTC(digits(text, 0, 4), month, date);
  const rolled = date > 28 && new Date(time).getUTCMonth() !== month; // as by 30 February
  return rolled || !(month >= 0 && month < 12 && date > 0) ? null : valid(time);
}

/** A time as `toISOString` writes it, by hand for the same reason. */
function instant(text: string): number | null {
  const start = day(text);
  const [hour, minute] = [digits(text, 11, 13), digits(text, 14, 16)];
  const second = digits(text, 17, 19) + digits(text, 20, 23) / 1000;
  if (start === null || !(hour < 24 && minute < 60 && second < 60)) return null;
  return start + Math.round(((hour * 60 + minute) * 60 + second) * 1000);
}

function valid(time: number): number | null {
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

/** The UTC day that a time lies in, as `YYYY-MM-DD`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The beginning of the UTC day that a time lies in. */
export function startOfDay(time: number): number {
  return Math.floor(time / DAY) * DAY;
}
