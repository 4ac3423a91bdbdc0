import { assertEquals, assertThrows } from "@std/assert";
import { Reader, SyntaxProblem } from "./syntax.ts";

const nested = (depth: number, [open, close]: [string, string]) =>
  open.repeat(depth) + close.repeat(depth);

Deno.test("values in each other are read up to a depth that the stack can hold", () => {
  assertEquals(Array.isArray(new Reader(nested(200, ["[", "]"])).value()), true);
  for (const brackets of [["[", "]"], ["<</A ", ">>"]] as [string, string][]) {
    for (const depth of [202, 100_000]) {
      const reader = new Reader(nested(depth, brackets));
      assertThrows(() => reader.value(), SyntaxProblem, "too deep");
    }
  }
});
