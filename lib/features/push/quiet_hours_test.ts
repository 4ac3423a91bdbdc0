import { assertEquals } from "@std/assert";
import { endOfQuiet, isTimeZone, type QuietHours, timeZones } from "./quiet_hours.ts";

const night = (zone: string): QuietHours => ({ from: "22:00", to: "07:00", zone });
const endOf = (quiet: QuietHours, iso: string) => {
  const end = endOfQuiet(quiet, Date.parse(iso));
  return end === null ? null : new Date(end).toISOString();
};

Deno.test("quiet hours begin at their first minute and end at their last, across midnight", () => {
  for (
    const [now, end] of [
      ["2026-11-22T21:59:59.999Z", null],
      ["2026-11-22T22:00:00.000Z", "2026-11-23T07:00:00.000Z"],
      ["2026-11-22T23:59:30.500Z", "2026-11-23T07:00:00.000Z"],
      ["2026-11-23T06:59:59.999Z", "2026-11-23T07:00:59.999Z"],
      ["2026-11-23T07:00:00.000Z", null],
    ] as const
  ) assertEquals(endOf(night("UTC"), now), end, now);
  const noon = { from: "12:00", to: "13:30", zone: "UTC" };
  assertEquals(endOf(noon, "2026-11-22T12:15:00Z"), "2026-11-22T13:30:00.000Z");
  assertEquals(endOf(noon, "2026-11-22T11:59:00Z"), null);
});

Deno.test("quiet hours follow the time zone, even on days with a clock change", () => {
  const melbourne = night("Australia/Melbourne"); // UTC+11 in summer
  assertEquals(endOf(melbourne, "2026-11-22T12:00:00Z"), "2026-11-22T20:00:00.000Z");
  assertEquals(endOf(melbourne, "2026-11-22T08:00:00Z"), null);
  const berlin = night("Europe/Berlin");
  // 29 March 2026 has 23 hours, and 25 October has 25.
  assertEquals(endOf(berlin, "2026-03-28T22:00:00Z"), "2026-03-29T05:00:00.000Z");
  assertEquals(endOf(berlin, "2026-10-24T21:00:00Z"), "2026-10-25T06:00:00.000Z");
});

Deno.test("quiet hours that end in a skipped hour end at the clock change", () => {
  const quiet = { from: "22:00", to: "02:30", zone: "Europe/Berlin" };
  let now = Date.parse("2026-03-28T23:00:00Z");
  for (let end = endOfQuiet(quiet, now); end !== null; end = endOfQuiet(quiet, now)) now = end;
  assertEquals(new Date(now).toISOString(), "2026-03-29T01:00:00.000Z");
});

Deno.test("every listed time zone is valid, and other text is not", () => {
  assertEquals(timeZones().filter((zone) => !isTimeZone(zone)), []);
  for (const text of ["", "Mars/Olympus", "../etc"]) assertEquals(isTimeZone(text), false, text);
});
