import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { ChartProps } from "../../lib/features/chart/mod.ts";
import { Chart } from "./Chart.tsx";

const DATA = { labels: ["2026-03-01", "2026-03-02"], datasets: [{ label: "Net", data: [1, 2] }] };
const NO_DATA = { labels: [], datasets: [] };

const render = (props: Partial<ChartProps> = {}) =>
  renderToString(h(Chart, { type: "line", data: DATA, ...props }));

const heightOf = (html: string) => /class="chart-spacer"[^>]* height="(\d+)"/.exec(html)?.[1];

Deno.test("a chart is 300 px high, or as high as its page says, but at least 200 px", () => {
  const heights = [undefined, 420, 200, 199].map((height) => heightOf(render({ height })));
  assertEquals(heights, ["300", "420", "200", "200"]);
});

Deno.test("an empty chart says “No data available”, or what its page says", () => {
  assertStringIncludes(render({ data: NO_DATA }), "No data available");
  const html = render({ data: NO_DATA, empty: "No payments yet" });
  assertStringIncludes(html, "No payments yet");
  assertFalse(html.includes("No data available"));
});

Deno.test("a chart has no controls unless its page asks for them", () => {
  const html = render();
  for (const part of ["<form", 'type="date"', "Cumulative"]) assertFalse(html.includes(part), part);
  assertStringIncludes(render({ accumulative: true }), "Cumulative");
  assertStringIncludes(render({ datePicker: true }), 'type="date"');
});

Deno.test("a chart that loads shows a skeleton instead of the text for an empty one", () => {
  const html = render({ data: NO_DATA, loading: true });
  assertStringIncludes(html, "chart-skeleton");
  assertFalse(html.includes("No data available"));
});
