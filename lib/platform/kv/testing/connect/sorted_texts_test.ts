import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { SortedTexts } from "./sorted_texts.ts";

Deno.test("sorted texts are those of a set, in order from both ends, for any additions and removals", () => {
  const text = fc.integer({ min: 0, max: 3_000 }).map((number) => String(number));
  fc.assert(
    fc.property(fc.array(text, { minLength: 3_000, maxLength: 6_000 }), text, text, (all, a, b) => {
      const texts = new SortedTexts();
      const expected = new Set<string>();
      for (const text of all) {
        if (expected.delete(text)) texts.delete(text);
        else {
          texts.add(text);
          expected.add(text);
        }
      }
      const sorted = [...expected].sort();
      const [start, end] = [a, b].sort();
      const between = sorted.filter((text) => text >= start && text < end);
      assertEquals([...texts.between("", "a")], sorted);
      assertEquals([...texts.between(start, end)], between);
      assertEquals([...texts.reversed(start, end)], between.toReversed());
    }),
    { numRuns: 20 },
  );
});
