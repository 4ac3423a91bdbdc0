import { assertEquals } from "@std/assert";
import { clockText, dayText, momentText } from "./times.ts";

Deno.test("days and times of day are those of UTC, and said to be", () => {
  const last = "2026-03-01T23:59:59.999Z";
  assertEquals(dayText(last), "Mar 1, 2026");
  assertEquals(dayText("2026-03-01"), "Mar 1, 2026");
  assertEquals(clockText(last), "23:59 UTC");
  assertEquals(momentText("2026-03-01T00:00:00.000Z"), "Mar 1, 2026, 00:00 UTC");
});
