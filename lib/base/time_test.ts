import { assertEquals } from "@std/assert";
import {
  DAY_MS,
  DEFAULT_DATE_LOCALE,
  formatAge,
  formatDateTime,
  formatDay,
  formatWait,
  HOUR_MS,
  isDay,
  isTime,
  MINUTE_MS,
  setDateLocale,
} from "./time.ts";

const AGES: [ageMs: number, text: string][] = [
  [-5, "just now"],
  [MINUTE_MS - 1, "just now"],
  [MINUTE_MS, "1 minute ago"],
  [HOUR_MS - 1, "59 minutes ago"],
  [HOUR_MS, "1 hour ago"],
  [3 * HOUR_MS, "3 hours ago"],
  [DAY_MS, "1 day ago"],
  [40 * DAY_MS, "40 days ago"],
];

for (const [ageMs, text] of AGES) {
  Deno.test(`formatAge(${ageMs}) returns "${text}"`, () => assertEquals(formatAge(ageMs), text));
}

Deno.test("formatWait() rounds up to whole minutes, with at least one", () => {
  assertEquals([0, 1, 60, 61, 720].map(formatWait), [
    "in 1 minute",
    "in 1 minute",
    "in 1 minute",
    "in 2 minutes",
    "in 12 minutes",
  ]);
});

Deno.test("formatDateTime() writes the day and the time in UTC", () => {
  assertEquals(formatDateTime("2026-03-01T20:00:59.000Z"), "1 Mar 2026, 20:00 UTC");
});

Deno.test("setDateLocale() sets how days and times are written", () => {
  const day = "2026-03-01";
  try {
    setDateLocale("en-US");
    assertEquals(formatDateTime("2026-03-01T20:00:59.000Z"), "Mar 1, 2026, 20:00 UTC");
    assertEquals(formatDay(day, "shortDay"), "Mar 1");
  } finally {
    setDateLocale(DEFAULT_DATE_LOCALE);
  }
  assertEquals([formatDay(day, "shortDay"), formatDay(day, "month")], ["1 Mar", "March 2026"]);
});

Deno.test("isTime() accepts times of calendar days only, with milliseconds", () => {
  for (const time of ["2026-01-31T23:59:59.999Z", "2024-02-29T00:00:00.000Z"]) {
    assertEquals(isTime(time), true, time);
  }
  for (
    const text of [
      "9999-99-99T99:99:99.999Z",
      "2026-02-30T00:00:00.000Z",
      "2026-01-31T............Z",
      "2026-01-31T00:00:00Z",
      "2026-01-31",
      "",
    ]
  ) assertEquals(isTime(text), false, text);
});

Deno.test("isDay() accepts calendar days only", () => {
  for (const day of ["2026-01-31", "2024-02-29"]) assertEquals(isDay(day), true, day);
  for (const text of ["", "2026-02-30", "2026-13-01", "2026-1-1", "2026-01-31T00:00Z", "soon"]) {
    assertEquals(isDay(text), false, text);
  }
});
