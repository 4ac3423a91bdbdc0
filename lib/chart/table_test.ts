import { assertEquals } from "@std/assert";
import { labelFormatter, valueFormatter } from "./format.ts";
import { flowSample } from "./samples.ts";
import { toSeries } from "./series.ts";
import { TABLE_ROWS, tableOf } from "./table.ts";

const tableFor = (days: number) => {
  const set = toSeries(flowSample(days));
  return tableOf(set, labelFormatter(set), valueFormatter({ currency: "USD" }));
};

Deno.test("the table has the chart's figures, one row for each label", () => {
  const { head, rows, left } = tableFor(2);
  assertEquals(head, ["Date", "In", "Out", "Net"]);
  assertEquals(rows.map(([date]) => date), ["Mar 30, 2026", "Mar 31, 2026"]);
  const format = valueFormatter({ currency: "USD" });
  assertEquals(
    rows[1].slice(1),
    flowSample(2).datasets.map(({ data }) => format(data[1])),
  );
  assertEquals(left, 0);
});

Deno.test("a long table keeps its last rows and says how many it left off", () => {
  const { rows, left } = tableFor(TABLE_ROWS + 5);
  assertEquals([rows.length, left], [TABLE_ROWS, 5]);
  const format = valueFormatter({ currency: "USD" });
  const last = flowSample(TABLE_ROWS + 5).datasets.map(({ data }) => format(data.at(-1)!));
  assertEquals(rows.at(-1), ["Mar 31, 2026", ...last]);
});
