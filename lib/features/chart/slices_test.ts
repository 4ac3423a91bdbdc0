import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { slicesOf } from "./slices.ts";

Deno.test("slices share the ring clockwise from the top", () => {
  const slices = slicesOf([1, 2, 1], 100, 50);
  assertEquals(slices.map(({ share }) => share), [0.25, 0.5, 0.25]);
  assert(slices[0].path.startsWith("M0 -100"), slices[0].path);
  assert(slices[0].x > 0 && slices[0].y < 0, "the first quarter is at the upper right");
  assertAlmostEquals(Math.hypot(slices[1].x, slices[1].y), 75);
});

Deno.test("a single slice is a full ring", () => {
  const [slice] = slicesOf([5], 100, 50);
  assertEquals(slice.share, 1);
  assert(slice.path.includes(" 0 100A"), `through the bottom: ${slice.path}`);
});

Deno.test("gaps, zeros and negative values have no slice", () => {
  assertEquals(slicesOf([null, 0, -5, 3], 100, 50).map(({ index }) => index), [3]);
  assertEquals(slicesOf([0, null], 100, 50), []);
});
