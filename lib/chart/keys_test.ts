import { assertEquals } from "@std/assert";
import { nextIndex } from "./keys.ts";

Deno.test("keys step by datum and stop at the ends", () => {
  assertEquals(nextIndex("ArrowRight", null, 3), 0);
  assertEquals(nextIndex("ArrowLeft", null, 3), 2);
  assertEquals(nextIndex("ArrowRight", 1, 3), 2);
  assertEquals(nextIndex("ArrowRight", 2, 3), 2);
  assertEquals(nextIndex("ArrowLeft", 0, 3), 0);
  assertEquals(nextIndex("Home", 2, 3), 0);
  assertEquals(nextIndex("End", 0, 3), 2);
});

Deno.test("Escape leaves what is shown and is the page's own otherwise, as other keys are", () => {
  assertEquals(nextIndex("Escape", 1, 3), null);
  assertEquals(nextIndex("Escape", null, 3), undefined);
  assertEquals(nextIndex("Tab", 1, 3), undefined);
  assertEquals(nextIndex("a", 1, 3), undefined);
});
