import { assertEquals } from "@std/assert";
import { DAY_MS, dayOf } from "../../base/time.ts";
import { rangesOf, select, type Selection } from "./ranges.ts";
import { flowSample } from "./samples.ts";
import { toSeries } from "./series.ts";

const set = toSeries(flowSample(400)); // until 2026-03-31
const selected = (selection: Selection) => {
  const { labels } = select(set, selection);
  return [labels.length, labels[0], labels.at(-1)];
};

Deno.test("ranges count back from the last point in whole UTC days", () => {
  assertEquals(selected({ range: "7D" }), [7, "2026-03-25", "2026-03-31"]);
  assertEquals(selected({ range: "30D" }), [30, "2026-03-02", "2026-03-31"]);
  assertEquals(selected({ range: "90D" }), [90, "2026-01-01", "2026-03-31"]);
  assertEquals(selected({ range: "YTD" }), [90, "2026-01-01", "2026-03-31"]);
  assertEquals(selected({ range: "All" }), [400, "2025-02-25", "2026-03-31"]);
});

Deno.test("a range includes all of its first and last UTC day when the data has times", () => {
  const labels = Array.from(
    { length: 24 * 10 },
    (_, i) => new Date(Date.UTC(2026, 2, 1, i)).toISOString(),
  );
  const hours = toSeries({ labels, datasets: [{ label: "A", data: labels.map(() => 1) }] });
  const week = select(hours, { range: "7D" }).labels;
  assertEquals([week.length, week[0]], [24 * 7, "2026-03-04T00:00:00.000Z"]);
  const days = select(hours, { start: "2026-03-05", end: "2026-03-06" }).labels;
  assertEquals([days.length, days.at(-1)], [24 * 2, "2026-03-06T23:00:00.000Z"]);
});

Deno.test("a custom range includes both days, and an empty date means no limit", () => {
  const days = (start: string, end: string) => selected({ start, end });
  assertEquals(days("2026-03-10", "2026-03-12"), [3, "2026-03-10", "2026-03-12"]);
  assertEquals(days("2026-03-30", ""), [2, "2026-03-30", "2026-03-31"]);
  assertEquals(days("", "2025-02-26"), [2, "2025-02-25", "2025-02-26"]);
  assertEquals(days("2026-03-12", "2026-03-10")[0], 0);
  assertEquals(days("2030-01-01", "2030-02-01")[0], 0);
});

Deno.test("select keeps values with their labels, and returns categories unchanged", () => {
  const part = select(set, { range: "7D" });
  assertEquals(part.series[2].values, set.series[2].values.slice(-7));
  const categories = toSeries({ labels: ["a", "b"], datasets: [{ label: "A", data: [1, 2] }] });
  assertEquals(select(categories, { range: "7D" }), categories);
});

Deno.test("of the ranges that show all data, only the shortest is offered", () => {
  const daily = (from: string, days: number) =>
    toSeries({
      labels: Array.from({ length: days }, (_, i) => dayOf(Date.parse(from) + i * DAY_MS)),
      datasets: [{ label: "Net", data: Array(days).fill(1) }],
    });
  assertEquals(rangesOf(daily("2025-12-02", 90)), ["7D", "30D", "90D", "YTD"]);
  assertEquals(rangesOf(daily("2026-08-01", 90)), ["7D", "30D", "90D"]);
  assertEquals(rangesOf(daily("2024-08-01", 900)), ["7D", "30D", "90D", "YTD", "All"]);
  assertEquals(rangesOf(daily("2025-03-01", 396)), ["7D", "30D", "90D", "YTD", "All"]); // on 31 March
  assertEquals(rangesOf(daily("2026-08-01", 5)), ["7D"]);
});
