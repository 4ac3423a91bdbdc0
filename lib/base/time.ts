/** Units of time in milliseconds, and dates, ages and counts as texts for people. */

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNITS = [["day", DAY_MS], ["hour", HOUR_MS], ["minute", MINUTE_MS]] as const;

/** How people read dates. Chain events have their own format (spec 2.8), which no setting changes. */
const STYLES = {
  day: { day: "numeric", month: "short", year: "numeric" },
  shortDay: { day: "numeric", month: "short" },
  month: { month: "long", year: "numeric" },
  shortMonth: { month: "short", year: "numeric" },
  monthName: { month: "long" },
  shortMonthName: { month: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

type DateStyle = keyof typeof STYLES;

/** The locale of dates if `DATE_LOCALE` does not set another one. */
export const DEFAULT_DATE_LOCALE = "en-GB";

let locale: string | undefined;
const formats = new Map<DateStyle, Intl.DateTimeFormat>();

/**
 * Sets the locale of all dates of this process. The default is British English, and in browsers the
 * locale of the page.
 *
 * @param tag a BCP 47 language tag, such as `en-US`
 */
export function setDateLocale(tag: string): void {
  locale = tag;
  formats.clear();
}

/** Returns the locale of dates, for threads, which have their own. */
export const dateLocale = (): string =>
  locale ??= globalThis.document?.documentElement.dataset.dateLocale ?? DEFAULT_DATE_LOCALE;

function dateFormat(style: DateStyle): Intl.DateTimeFormat {
  let format = formats.get(style);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(dateLocale(), { ...STYLES[style], timeZone: "UTC" });
    formats.set(style, format);
  }
  return format;
}

/**
 * Returns an age in whole minutes, hours or days: `just now`, `1 minute ago`, `3 hours ago`.
 *
 * @param ageMs age in milliseconds; a negative age, caused by clocks that differ, is `just now`
 */
export function formatAge(ageMs: number): string {
  for (const [unit, length] of UNITS) {
    const count = Math.floor(ageMs / length);
    if (count >= 1) return `${plural(count, unit)} ago`;
  }
  return "just now";
}

/** Returns a wait in whole minutes, rounded up: `in 1 minute`, `in 12 minutes`. */
export const formatWait = (seconds: number): string =>
  `in ${plural(Math.max(1, Math.ceil(seconds / 60)), "minute")}`;

/** Returns whether a text is a calendar day, such as `2026-02-28`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text);

/** Returns whether a text is a time in UTC with milliseconds, such as `2026-02-28T09:30:00.000Z`. */
export const isTime = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

/** Returns the UTC day of a time in milliseconds since 1970: `2026-03-01`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/**
 * Returns the UTC date of an ISO 8601 date or time: `1 Mar 2026`.
 *
 * @param style `shortDay`: `1 Mar`; `month`: `March 2026`; `shortMonth`: `Mar 2026`; `monthName`: `March`;
 * `shortMonthName`: `Mar`
 */
export const formatDay = (iso: string, style: DateStyle = "day"): string =>
  dateFormat(style).format(Date.parse(iso));

/** Returns the time of day of an ISO 8601 time in UTC: `20:00 UTC`. */
export const formatClock = (iso: string): string => `${iso.slice(11, 16)} UTC`;

/** Returns an ISO 8601 time in UTC as date and time: `1 Mar 2026, 20:00 UTC`. */
export const formatDateTime = (iso: string): string => `${formatDay(iso)}, ${formatClock(iso)}`;

const counts = new Intl.NumberFormat("en-US");

/** Returns a count for people: `12,345`. */
export const formatCount = (count: number): string => counts.format(count);

/**
 * Returns a count with its noun: `1 minute`, `12 minutes`, `1,200 minutes`.
 *
 * @param nouns default: the noun and an s
 */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : nouns}`;

/** Returns a whole number of units in words, from milliseconds: `1 day`, `60 minutes`. */
export const inYears = (ms: number): string => plural(ms / (365 * DAY_MS), "year");
export const inDays = (ms: number): string => plural(ms / DAY_MS, "day");
export const inHours = (ms: number): string => plural(ms / HOUR_MS, "hour");
export const inMinutes = (ms: number): string => plural(ms / MINUTE_MS, "minute");
