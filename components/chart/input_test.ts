import { assertEquals } from "@std/assert";
import { nextIndex } from "./input.ts";

const CASES: [key: string, current: number | null, next: number | null | undefined][] = [
  ["ArrowRight", null, 0],
  ["ArrowLeft", null, 2],
  ["ArrowRight", 1, 2],
  ["ArrowUp", 1, 2],
  ["ArrowDown", 1, 0],
  ["ArrowRight", 2, 2],
  ["ArrowLeft", 0, 0],
  ["Home", 2, 0],
  ["End", 0, 2],
  ["Escape", 1, null],
  ["Escape", null, undefined],
  ["Tab", 1, undefined],
  ["a", 1, undefined],
];

for (const [key, current, next] of CASES) {
  Deno.test(`${key} at index ${current} of 3 points moves to ${next}`, () => {
    assertEquals(nextIndex(key, current, 3), next);
  });
}
