import { assertEquals } from "@std/assert";
import { type Range, select } from "./ranges.ts";
import { flowSample } from "./samples.ts";
import { toSeries } from "./series.ts";

const set = toSeries(flowSample(400)); // up to 2026-03-31
const ends = (range: Range) => {
  const { labels } = select(set, { range });
  return [labels.length, labels[0], labels.at(-1)];
};

Deno.test("ranges count back from the last datum in whole UTC days", () => {
  assertEquals(ends("7D"), [7, "2026-03-25", "2026-03-31"]);
  assertEquals(ends("30D"), [30, "2026-03-02", "2026-03-31"]);
  assertEquals(ends("90D"), [90, "2026-01-01", "2026-03-31"]);
  assertEquals(ends("YTD"), [90, "2026-01-01", "2026-03-31"]);
  assertEquals(ends("All"), [400, "2025-02-25", "2026-03-31"]);
});

Deno.test("a range takes the whole of its first and last UTC day where data have times", () => {
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

Deno.test("chosen days belong to the range, both of them, and an open side goes to the end", () => {
  const days = (start: string, end: string) => {
    const { labels } = select(set, { start, end });
    return [labels.length, labels[0], labels.at(-1)];
  };
  assertEquals(days("2026-03-10", "2026-03-12"), [3, "2026-03-10", "2026-03-12"]);
  assertEquals(days("2026-03-30", ""), [2, "2026-03-30", "2026-03-31"]);
  assertEquals(days("", "2025-02-26"), [2, "2025-02-25", "2025-02-26"]);
  assertEquals(days("2026-03-12", "2026-03-10")[0], 0);
  assertEquals(days("2030-01-01", "2030-02-01")[0], 0);
});

Deno.test("values stay beside their labels, and categories have no ranges", () => {
  const part = select(set, { range: "7D" });
  assertEquals(part.series[2].values, set.series[2].values.slice(-7));
  const categories = toSeries({ labels: ["a", "b"], datasets: [{ label: "A", data: [1, 2] }] });
  assertEquals(select(categories, { range: "7D" }), categories);
});
