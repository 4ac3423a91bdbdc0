import { assertEquals } from "@std/assert";
import { createFormatters, MAX_TABLE_ROWS, NO_VALUE, tableOf, valueFormatter } from "./format.ts";
import { flowSample } from "./samples.ts";
import { toSeries } from "./series.ts";

const dollars = valueFormatter({ currency: "USD" });

Deno.test("values are formatted according to the options", () => {
  assertEquals(dollars(-1234.5), "-$1,234.50");
  assertEquals(dollars(-0.001), "$0.00");
  assertEquals(valueFormatter({ currency: "JPY" })(1234), "¥1,234");
  assertEquals(valueFormatter({ currency: "USD", format: "integer" })(1234.5), "$1,235");
  assertEquals(valueFormatter({})(1234.567), "1,234.57");
  assertEquals(valueFormatter({})(0.004812), "0.00481");
  assertEquals(valueFormatter({ format: "integer" })(1234.567), "1,235");
  assertEquals(valueFormatter({ format: "percent" })(0.2567), "25.7%");
  assertEquals(valueFormatter({ format: "compact" })(12_345), "12.3K");
  assertEquals(valueFormatter({})(null), NO_VALUE);
});

Deno.test("axis ticks have only as many digits as keep them distinct", () => {
  const axis = { axis: "category", daily: false } as const;
  const ticks = (style: Parameters<typeof createFormatters>[0], values: number[]) =>
    createFormatters(style, axis).ticks(values);
  assertEquals(ticks({ currency: "USD" }, [0, 500, 1000]), ["$0", "$500", "$1,000"]);
  assertEquals(ticks({}, [0, 0.25, 0.5]), ["0.00", "0.25", "0.50"]);
  assertEquals(ticks({ currency: "USD" }, [20_000, 20_500]), ["$20K", "$20.5K"]);
  assertEquals(ticks({ currency: "USD" }, [11_525_000, 11_550_000]), ["$11.525M", "$11.55M"]);
  assertEquals(ticks({}, [1_000_000, 1_000_000.5]), ["1,000,000.0", "1,000,000.5"]);
  assertEquals(ticks({}, [0, 1e-7, 2e-7]), ["0.0000000", "0.0000001", "0.0000002"]);
  assertEquals(ticks({}, [0, 2.5e-12]), ["0.0000000000000", "0.0000000000025"]);
  assertEquals(ticks({ format: "percent" }, [0, 0.5, 1]), ["0%", "50%", "100%"]);
  assertEquals(ticks({ format: "integer" }, [0, 0.5, 1]), ["0", "", "1"]);
});

Deno.test("labels are UTC days, with the time if the data has times", () => {
  const label = (text: string) => {
    const set = toSeries({ labels: [text], datasets: [] });
    return createFormatters({}, set).label(set, 0);
  };
  assertEquals(label("2026-03-09"), "9 Mar 2026");
  assertEquals(label("2026-03-09T23:30:00Z"), "9 Mar 2026, 23:30 UTC");
  assertEquals(label("Grants"), "Grants");
});

for (const [days, rows] of [[2, 2], [MAX_TABLE_ROWS + 5, MAX_TABLE_ROWS]]) {
  Deno.test(`the table of ${days} days has the last ${rows}`, () => {
    const set = toSeries(flowSample(days));
    const table = tableOf(set, createFormatters({ currency: "USD" }, set));
    assertEquals(table.head, ["Date", "In", "Out", "Net"]);
    assertEquals([table.rows.length, table.omitted], [rows, days - rows]);
    const last = (back: number) =>
      flowSample(days).datasets.map(({ data }) => dollars(data.at(-back)!));
    assertEquals(table.rows.slice(-2), [
      ["30 Mar 2026", ...last(2)],
      ["31 Mar 2026", ...last(1)],
    ]);
  });
}

Deno.test("labels of weeks and months name the week and the month", () => {
  const set = { ...toSeries({ labels: ["2026-03-02"], datasets: [] }), daily: true };
  const label = (bin: "week" | "month") => createFormatters({}, { ...set, bin }).label(set, 0);
  assertEquals([label("week"), label("month")], ["Week of 2 Mar 2026", "March 2026"]);
});
