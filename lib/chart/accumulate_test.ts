import { assertEquals } from "@std/assert";
import { accumulate } from "./accumulate.ts";
import { select } from "./ranges.ts";
import { toSeries } from "./series.ts";

const totals = (data: (number | null)[]) =>
  accumulate(toSeries({
    labels: data.map((_, i) => `${i}`),
    datasets: [{ label: "A", data }],
  })).series[0].values;

Deno.test("a total runs on over a gap, which stays one", () => {
  assertEquals(totals([1, null, 2, -4]), [1, null, 3, -1]);
});

Deno.test("cents do not drift over ten thousand days", () => {
  assertEquals(totals(Array(10_000).fill(0.1)).at(-1), 1_000);
});

Deno.test("a total begins at the range's start", () => {
  const labels = ["2026-01-01", "2026-03-01", "2026-03-02"];
  const all = toSeries({ labels, datasets: [{ label: "A", data: [100, 1, 2] }] });
  assertEquals(accumulate(select(all, { range: "7D" })).series[0].values, [1, 3]);
});
