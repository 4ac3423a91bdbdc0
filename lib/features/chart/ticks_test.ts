import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../base/time.ts";
import { categoryTicks, timeTicks } from "./ticks.ts";

const utc = Date.UTC;

Deno.test("ticks are at Mondays and at the starts of months and years", () => {
  const labels = (...args: Parameters<typeof timeTicks>) => timeTicks(...args).labels.join(", ");
  assertEquals(
    labels(utc(2026, 2, 2), utc(2026, 2, 31), 6, DAY_MS),
    "2 Mar, 9 Mar, 16 Mar, 23 Mar, 30 Mar",
  );
  assertEquals(
    labels(utc(2025, 9, 10), utc(2026, 2, 31), 6, DAY_MS),
    "Nov 2025, Dec, Jan 2026, Feb, Mar",
  );
  assertEquals(
    labels(utc(2019, 5, 1), utc(2026, 2, 31), 8),
    "2020, 2021, 2022, 2023, 2024, 2025, 2026",
  );
  assertEquals(labels(utc(1870, 0, 2), utc(1966, 0, 1), 5), "1875, 1900, 1925, 1950");
});

Deno.test("ticks show hours for hourly data but not for daily data", () => {
  assertEquals(timeTicks(utc(2026, 2, 1), utc(2026, 2, 2), 5).labels, [
    "1 Mar",
    "06:00",
    "12:00",
    "18:00",
    "2 Mar",
  ]);
  assertEquals(timeTicks(utc(2026, 2, 1), utc(2026, 2, 2), 5, DAY_MS).labels, ["1 Mar", "2 Mar"]);
});

Deno.test("any time span and limit gives at least one tick and at most the limit", () => {
  const to = utc(2026, 2, 31);
  for (let days = 2; days < 4_000; days = Math.ceil(days * 1.3)) {
    for (let limit = 1; limit <= 12; limit++) {
      const { at } = timeTicks(to - (days - 1) * DAY_MS, to, limit, DAY_MS);
      assert(at.length >= 1 && at.length <= limit, `${at.length} of ${limit} for ${days} days`);
    }
  }
});

Deno.test("category ticks keep every label, slanted if they do not fit next to each other", () => {
  const labels = Array.from({ length: 12 }, (_, i) => `Item ${i}`);
  const slanted = (width: number) => {
    const ticks = categoryTicks(labels, width, 7);
    return [ticks.at.length, !!ticks.slanted];
  };
  assertEquals(slanted(2_000), [12, false]);
  assertEquals(slanted(260), [12, true]);
  assertEquals(slanted(100), [6, true]);
});

Deno.test("category ticks shorten long labels", () => {
  assertEquals(categoryTicks(["Certifications abroad"], 300, 7).labels, ["Certification…"]);
});
