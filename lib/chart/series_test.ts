import { assertEquals } from "@std/assert";
import { hasValues, toSeries } from "./series.ts";

const data = (labels: string[], values: (number | null)[]) => ({
  labels,
  datasets: [{ label: "A", data: values }],
});

Deno.test("ISO dates make a time axis in order, and the last value of a date counts", () => {
  const set = toSeries(data(["2026-03-03", "2026-03-01", "2026-03-03"], [1, 2, 3]));
  assertEquals(set.axis, "time");
  assertEquals(set.x, [Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 3)]);
  assertEquals(set.labels, ["2026-03-01", "2026-03-03"]);
  assertEquals(set.series[0].values, [2, 3]);
  assertEquals(set.daily, true);
  const twice = toSeries(data(["2026-03-01", "2026-03-01", "2026-03-02"], [1, 2, 3]));
  assertEquals([twice.labels, twice.series[0].values], [["2026-03-01", "2026-03-02"], [2, 3]]);
});

Deno.test("one label that is no date makes categories, in the order given", () => {
  const set = toSeries(data(["2026-03-03", "Other", "2026-03-01"], [1, 2, 3]));
  assertEquals([set.axis, set.x, set.labels], [
    "category",
    [0, 1, 2],
    ["2026-03-03", "Other", "2026-03-01"],
  ]);
});

Deno.test("what is missing, not finite or too much becomes a gap or is left off", () => {
  const values = (list: unknown[]) =>
    toSeries(data(["a", "b", "c"], list as number[])).series[0].values;
  assertEquals(values([1]), [1, null, null]);
  assertEquals(values([1, NaN, Infinity]), [1, null, null]);
  assertEquals(values([1, undefined, 3, 4]), [1, null, 3]);
});

Deno.test("series take the palette's colours in turn, or their own", () => {
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

Deno.test("a chart without a single value has none", () => {
  assertEquals(hasValues(toSeries({ labels: [], datasets: [] })), false);
  assertEquals(hasValues(toSeries(data(["a", "b"], [null, null]))), false);
  assertEquals(hasValues(toSeries(data(["a", "b"], [null, 0]))), true);
});
