import { assertEquals } from "@std/assert";
import { labelFormatter, NO_VALUE, tickFormatter, valueFormatter } from "./format.ts";
import { toSeries } from "./series.ts";

Deno.test("values are written as their options say", () => {
  assertEquals(valueFormatter({ currency: "USD" })(-1234.5), "-$1,234.50");
  assertEquals(valueFormatter({ currency: "JPY" })(1234), "¥1,234");
  assertEquals(valueFormatter({ currency: "USD", format: "integer" })(1234.5), "$1,235");
  assertEquals(valueFormatter({})(1234.567), "1,234.57");
  assertEquals(valueFormatter({})(0.004812), "0.00481");
  assertEquals(valueFormatter({ format: "integer" })(1234.567), "1,235");
  assertEquals(valueFormatter({ format: "percent" })(0.2567), "25.7%");
  assertEquals(valueFormatter({ format: "compact" })(12_345), "12.3K");
  assertEquals(valueFormatter({ currency: "USD" })(-0.001), "$0.00");
  assertEquals(valueFormatter({})(null), NO_VALUE);
});

Deno.test("an axis writes no more digits than tell its marks apart", () => {
  assertEquals(tickFormatter({ currency: "USD" })([0, 500, 1000]), ["$0", "$500", "$1,000"]);
  assertEquals(tickFormatter({})([0, 0.25, 0.5]), ["0.00", "0.25", "0.50"]);
  assertEquals(tickFormatter({ currency: "USD" })([20_000, 20_500]), ["$20K", "$20.5K"]);
  assertEquals(tickFormatter({})([1_000_000, 1_000_000.5]), ["1,000,000.0", "1,000,000.5"]);
  assertEquals(tickFormatter({ format: "percent" })([0, 0.5, 1]), ["0%", "50%", "100%"]);
});

Deno.test("labels are days in UTC, with the time where there is one", () => {
  const label = (text: string) => {
    const set = toSeries({ labels: [text], datasets: [] });
    return labelFormatter(set)(set, 0);
  };
  assertEquals(label("2026-03-09"), "Mar 9, 2026");
  assertEquals(label("2026-03-09T23:30:00Z"), "Mar 9, 2026, 23:30 UTC");
  assertEquals(label("Grants"), "Grants");
});
