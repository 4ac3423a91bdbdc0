import { assertEquals } from "@std/assert";
import { select } from "./ranges.ts";
import { DAY_MS, dayOf } from "../../base/time.ts";
import { accumulate, binForBars, hasValues, toSeries } from "./series.ts";

const setOf = (labels: string[], data: (number | null)[]) =>
  toSeries({ labels, datasets: [{ label: "A", data }] });

Deno.test("ISO dates make a sorted time axis, and the last value of a date wins", () => {
  const set = setOf(["2026-03-03", "2026-03-01", "2026-03-03"], [1, 2, 3]);
  assertEquals(set.axis, "time");
  assertEquals(set.x, [Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 3)]);
  assertEquals(set.labels, ["2026-03-01", "2026-03-03"]);
  assertEquals(set.series[0].values, [2, 3]);
  assertEquals(set.daily, true);
  const adjacent = setOf(["2026-03-01", "2026-03-01", "2026-03-02"], [1, 2, 3]);
  assertEquals(
    [adjacent.labels, adjacent.series[0].values],
    [["2026-03-01", "2026-03-02"], [2, 3]],
  );
});

Deno.test("one label that is not a date makes categories in the given order", () => {
  const set = setOf(["2026-03-03", "Other", "2026-03-01"], [1, 2, 3]);
  assertEquals([set.axis, set.x, set.labels], [
    "category",
    [0, 1, 2],
    ["2026-03-03", "Other", "2026-03-01"],
  ]);
});

Deno.test("missing and non-finite values become gaps, and surplus values are dropped", () => {
  const values = (list: unknown[]) =>
    setOf(["a", "b", "c"], list as (number | null)[]).series[0].values;
  assertEquals(values([1]), [1, null, null]);
  assertEquals(values([1, NaN, Infinity]), [1, null, null]);
  assertEquals(values([1, undefined, 3, 4]), [1, null, 3]);
});

Deno.test("series without a colour take the colours of the palette in order", () => {
  const set = toSeries({
    labels: ["a"],
    datasets: ["A", "B", "C", "D"].map((label, i) => ({
      label,
      data: [1],
      color: i === 3 ? "red" : undefined,
    })),
  });
  assertEquals(set.series.map(({ color }) => color), ["#4ecdc4", "#f7b731", "#8b95a5", "red"]);
});

Deno.test("hasValues is false for no data and for gaps only", () => {
  assertEquals(hasValues(toSeries({ labels: [], datasets: [] })), false);
  assertEquals(hasValues(setOf(["a", "b"], [null, null])), false);
  assertEquals(hasValues(setOf(["a", "b"], [null, 0])), true);
});

Deno.test("accumulate returns running totals from the start of the range, and keeps gaps", () => {
  const totals = (data: (number | null)[]) =>
    accumulate(setOf(data.map((_, i) => `${i}`), data)).series[0].values;
  assertEquals(totals([1, null, 2, -4]), [1, null, 3, -1]);
  assertEquals(totals(Array(10_000).fill(0.1)).at(-1), 1_000, "no rounding error");
  const all = setOf(["2026-01-01", "2026-03-01", "2026-03-02"], [100, 1, 2]);
  assertEquals(accumulate(setOf(["a", "b", "c"], [0.1, 0.2, -0.3])).series[0].values[2], 0);
  assertEquals(accumulate(setOf(["a", "b"], [1, -1 + 1e-12])).series[0].values[1] === 0, false);
  assertEquals(accumulate(select(all, { range: "7D" })).series[0].values, [1, 3]);
});

const flow = (days: number) => {
  const first = Date.UTC(2026, 0, 1); // a Thursday
  const labels = Array.from({ length: days }, (_, i) => dayOf(first + i * DAY_MS));
  return toSeries({ labels, datasets: [{ label: "A", data: labels.map(() => 1) }] });
};

Deno.test("binForBars() returns 120 days unchanged", () => {
  const set = flow(120);
  assertEquals(binForBars(set), set);
});

Deno.test("binForBars() adds 121 days up by week, from Monday", () => {
  const { x, series, bin, labels } = binForBars(flow(121));
  assertEquals(bin, "week");
  assertEquals(labels.slice(0, 3), ["2025-12-29", "2026-01-05", "2026-01-12"]);
  assertEquals(series[0].values.slice(0, 3), [4, 7, 7]);
  assertEquals(series[0].values.reduce((sum, value) => sum! + value!, 0), 121);
  assertEquals(x.length, 18);
});

Deno.test("binForBars() adds three years up by month, and keeps gaps", () => {
  const set = flow(3 * 365);
  set.series[0].values = set.series[0].values.map((value, i) => i < 31 ? null : value);
  const { labels, series, bin } = binForBars(set);
  assertEquals(bin, "month");
  assertEquals(labels.slice(0, 3), ["2026-01-01", "2026-02-01", "2026-03-01"]);
  assertEquals(series[0].values.slice(0, 3), [null, 28, 31]);
});

Deno.test("binForBars() returns categories unchanged", () => {
  const labels = Array.from({ length: 300 }, (_, i) => `Item ${i}`);
  const set = toSeries({ labels, datasets: [] });
  assertEquals(binForBars(set), set);
});
