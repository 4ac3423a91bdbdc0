/** Quiet hours: the daily time, in the holder's time zone, in which nothing is pushed. */
import { z } from "zod";
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";

/** A daily time in which nothing is pushed. It may include midnight. */
export const quietHours = z.strictObject({
  /** `HH:MM`. */
  from: z.string(),
  /** `HH:MM`, different from `from`. */
  to: z.string(),
  /** An IANA time zone, such as `Australia/Melbourne`. */
  zone: z.string(),
});

export type QuietHours = z.infer<typeof quietHours>;

const DAY_MINUTES = DAY_MS / MINUTE_MS;

/** Returns when the quiet hours end, in milliseconds since 1970; null outside of them. */
export function endOfQuiet({ from, to, zone }: QuietHours, now: number): number | null {
  const [start, end, minute] = [minutesOf(from), minutesOf(to), minuteOfDay(zone, now)];
  const quiet = start < end ? start <= minute && minute < end : minute >= start || minute < end;
  if (!quiet) return null;
  const guess = now + modulo(end - minute, DAY_MINUTES) * MINUTE_MS;
  // The clocks may change in between.
  const late = modulo(minuteOfDay(zone, guess) - end + DAY_MINUTES / 2, DAY_MINUTES) -
    DAY_MINUTES / 2;
  const at = guess - late * MINUTE_MS;
  // The end does not exist on the day when the clocks skip it.
  return Math.max(at - at % MINUTE_MS, now + MINUTE_MS);
}

/** Returns whether a text is the name of a time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Returns the names of all time zones, for a list to choose from. */
export const timeZones = (): string[] => ["UTC", ...Intl.supportedValuesOf("timeZone")];

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function minuteOfDay(zone: string, at: number): number {
  const format = { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return minutesOf(new Intl.DateTimeFormat("en-GB", format).format(at));
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;
