import { assertEquals } from "@std/assert";
import { DAY, toSeries } from "../../lib/chart/mod.ts";
import { lonePoints, smallestStep, valueRange } from "./plot_data.ts";

const set = (labels: string[], data: (number | null)[]) =>
  toSeries({ labels, datasets: [{ label: "A", data }] });

Deno.test("bars and areas stand on zero, and a line fills the height", () => {
  assertEquals(valueRange(50, 100, true), [0, 108]);
  assertEquals(valueRange(-100, -50, true), [-108, 0]);
  assertEquals(valueRange(50, 100, false), [46, 104]);
});

Deno.test("there is a range even where values are all the same, or none", () => {
  assertEquals(valueRange(10, 10, false), [5, 15]);
  assertEquals(valueRange(0, 0, false), [0, 1]);
  assertEquals(valueRange(0, 0, true), [0, 1]);
  assertEquals(valueRange(null, null, false), [0, 1]);
});

Deno.test("the step is the smallest distance, a day for a day alone, and one for a category", () => {
  assertEquals(smallestStep(set(["2026-03-01", "2026-03-08", "2026-03-10"], [1, 2, 3])), 2 * DAY);
  assertEquals(smallestStep(set(["2026-03-01"], [1])), DAY);
  assertEquals(smallestStep(set(["A"], [1])), 1);
});

Deno.test("lone points are those between two gaps or ends", () => {
  const values = [1, null, 2, null, 3, 4, null, 5];
  assertEquals(lonePoints(set(values.map((_, i) => `${i}`), values)), [[0, 2, 7]]);
});
