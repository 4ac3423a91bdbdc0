import { assertEquals } from "@std/assert";
import { toSeries } from "../../lib/features/chart/mod.ts";
import { DAY_MS } from "../../lib/base/time.ts";
import { lonePoints, smallestStep, valueRange } from "./axes.ts";

const RANGES: [...Parameters<typeof valueRange>, [number, number]][] = [
  [50, 100, true, [0, 108]],
  [-100, -50, true, [-108, 0]],
  [50, 100, false, [46, 104]],
  [10, 10, false, [5, 15]],
  [0, 0, false, [0, 1]],
  [0, 0, true, [0, 1]],
  [null, null, false, [0, 1]],
];

for (const [min, max, fromZero, range] of RANGES) {
  Deno.test(`valueRange of ${min} to ${max}${fromZero ? " from zero" : ""} is ${range}`, () => {
    assertEquals(valueRange(min, max, fromZero), range);
  });
}

const setOf = (labels: string[], data: (number | null)[]) =>
  toSeries({ labels, datasets: [{ label: "A", data }] });

Deno.test("smallestStep is the smallest distance; a day or one category for a single point", () => {
  assertEquals(
    smallestStep(setOf(["2026-03-01", "2026-03-08", "2026-03-10"], [1, 2, 3])),
    2 * DAY_MS,
  );
  assertEquals(smallestStep(setOf(["2026-03-01"], [1])), DAY_MS);
  assertEquals(smallestStep(setOf(["A"], [1])), 1);
});

Deno.test("lonePoints returns the points between two gaps or ends", () => {
  const values = [1, null, 2, null, 3, 4, null, 5];
  assertEquals(lonePoints(setOf(values.map((_, i) => `${i}`), values)), [[0, 2, 7]]);
});
