import { assertEquals } from "@std/assert";
import { equalData, parseChartData } from "./data.ts";
import { balanceSample } from "./samples.ts";

Deno.test("parseChartData returns chart data, and null for anything else", () => {
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
  ) assertEquals(parseChartData(wrong), null, JSON.stringify(wrong));
});

Deno.test("equalData compares values, not objects", () => {
  const data = balanceSample(5);
  assertEquals(equalData(data, structuredClone(data)), true);
  const [dataset] = data.datasets;
  for (
    const other of [
      balanceSample(6),
      { ...data, labels: data.labels.with(0, "2020-01-01") },
      { ...data, datasets: [{ ...dataset, data: dataset.data.with(2, 1) }] },
      { ...data, datasets: [{ ...dataset, label: "Another" }] },
      { ...data, datasets: [{ ...dataset, color: "red" }] },
      { ...data, datasets: [dataset, dataset] },
    ]
  ) assertEquals(equalData(data, other), false, JSON.stringify(other));
});
