import { assertEquals } from "@std/assert";
import { select } from "./ranges.ts";
import { accumulate, hasValues, toSeries } from "./series.ts";

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
  assertEquals(accumulate(select(all, { range: "7D" })).series[0].values, [1, 3]);
});
