import { assertEquals } from "@std/assert";
import { DAY_MS, dayOf } from "../../base/time.ts";
import { parseIsoDate, startOfMonth } from "./dates.ts";

Deno.test("parseIsoDate agrees with Date for every day from 1600 to 2400", () => {
  for (let time = Date.UTC(1600, 0, 1); time < Date.UTC(2400, 0, 1); time += DAY_MS) {
    const text = dayOf(time);
    if (parseIsoDate(text) !== time) throw new Error(text);
  }
});

Deno.test("days of the first century are days of that century", () => {
  for (const text of ["0001-01-01", "0099-12-31", "0004-02-29"]) {
    assertEquals(parseIsoDate(text), Date.parse(text));
  }
  assertEquals(parseIsoDate("0001-02-29"), null);
  assertEquals(startOfMonth(Date.parse("0001-03-09")), Date.parse("0001-03-01"));
});

Deno.test("parseIsoDate reads a time without an offset as UTC", () => {
  const noon = Date.UTC(2026, 2, 9, 12);
  assertEquals(parseIsoDate("2026-03-09T12:00"), noon);
  assertEquals(parseIsoDate("2026-03-09T12:00:00.000Z"), noon);
  assertEquals(parseIsoDate("2026-03-09T12:34:56.789Z"), noon + ((34 * 60) + 56) * 1000 + 789);
  assertEquals(parseIsoDate("2026-03-09T14:00:00+02:00"), noon);
  assertEquals(parseIsoDate("2026-03"), Date.UTC(2026, 2, 1));
});

Deno.test("parseIsoDate returns null for anything but a valid date", () => {
  for (
    const text of [
      "",
      "2026",
      "2026-02-29",
      "2026-02-30",
      "2026-13-01",
      "2026-00-10",
      "2026-13",
      "2026-02-30T10:00",
      "2026-02-03T25:00",
      "2026-02-03T25:00:00.000Z",
      "2026-02-03T23:60:00.000Z",
      "2026-02-30T10:00:00.000Z",
      "2026-02-03 10:00:00.000Z",
      "2026-02-03T10:00:00.x00Z",
      "2026/03/09",
      "March 2026",
      "20-26-0101",
      "0x26-01-01",
    ]
  ) assertEquals(parseIsoDate(text), null, text);
});
