import { assertEquals, assertThrows } from "@std/assert";
import { sameData } from "./equal.ts";
import { parseChartData } from "./parse.ts";
import { balanceSample } from "./samples.ts";

Deno.test("chart data come through, and nothing else does", () => {
  const data = balanceSample(5);
  assertEquals(parseChartData(JSON.parse(JSON.stringify(data))), data);
  for (
    const wrong of [
      null,
      [],
      {},
      { labels: [1], datasets: [] },
      { labels: [], datasets: {} },
      { labels: [], datasets: [{ label: "A" }] },
      { labels: ["a"], datasets: [{ label: "A", data: ["1"] }] },
      { labels: ["a"], datasets: [{ label: "A", data: [1], color: 7 }] },
    ]
  ) assertThrows(() => parseChartData(wrong), TypeError);
});

Deno.test("equal data are the same, whichever object they are in", () => {
  const data = balanceSample(5);
  assertEquals(sameData(data, structuredClone(data)), true);
  assertEquals(sameData(data, balanceSample(6)), false);
  const [dataset] = data.datasets;
  const labels = data.labels.with(0, "2020-01-01");
  for (
    const other of [
      { labels, datasets: [dataset] },
      { ...data, datasets: [{ ...dataset, data: dataset.data.with(2, 1) }] },
      { ...data, datasets: [{ ...dataset, label: "Another" }] },
      { ...data, datasets: [{ ...dataset, color: "red" }] },
      { ...data, datasets: [dataset, dataset] },
    ]
  ) assertEquals(sameData(data, other), false);
});
