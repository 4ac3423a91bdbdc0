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
  const other = structuredClone(data);
  other.datasets[0].data[2] = 1;
  assertEquals(sameData(data, other), false);
  assertEquals(sameData(data, balanceSample(6)), false);
});
