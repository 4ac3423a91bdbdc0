const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

/** The UTC day of an ISO 8601 date or time, as the charts write it: `Mar 1, 2026`. */
export const dayText = (time: string): string => day.format(Date.parse(time));

/** The time of day of an ISO 8601 time in UTC: `20:00 UTC`. */
export const clockText = (time: string): string => `${time.slice(11, 16)} UTC`;

/** An ISO 8601 time in UTC, whole: `Mar 1, 2026, 20:00 UTC`. */
export const momentText = (time: string): string => `${dayText(time)}, ${clockText(time)}`;
