import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { arcsOf } from "./arcs.ts";

Deno.test("slices share the whole, clockwise from the top", () => {
  const arcs = arcsOf([1, 2, 1], 100, 50);
  assertEquals(arcs.map(({ share }) => share), [0.25, 0.5, 0.25]);
  assert(arcs[0].path.startsWith("M0 -100"), arcs[0].path);
  assert(arcs[0].x > 0 && arcs[0].y < 0, "the first quarter lies at the upper right");
  assertAlmostEquals(Math.hypot(arcs[1].x, arcs[1].y), 75);
});

Deno.test("a slice alone goes all the way round", () => {
  const [arc] = arcsOf([5], 100, 50);
  assertEquals(arc.share, 1);
  assert(arc.path.includes(" 0 100A"), `through the bottom: ${arc.path}`);
});

Deno.test("gaps, zeros and what is below have no slice", () => {
  assertEquals(arcsOf([null, 0, -5, 3], 100, 50).map(({ index }) => index), [3]);
  assertEquals(arcsOf([0, null], 100, 50), []);
});
