import { assertEquals } from "@std/assert";
import { pageNumbers } from "./page_numbers.ts";

Deno.test("pageNumbers() returns the first, the last and the neighbours, with gaps", () => {
  const cases: [page: number, last: number, numbers: (number | null)[]][] = [
    [1, 1, [1]],
    [1, 5, [1, 2, null, 5]],
    [3, 5, [1, 2, 3, 4, 5]],
    [4, 9, [1, 2, 3, 4, 5, null, 9]],
    [5, 9, [1, null, 4, 5, 6, null, 9]],
    [9, 9, [1, null, 8, 9]],
  ];
  for (const [page, last, numbers] of cases) {
    assertEquals(pageNumbers(page, last), numbers, `${page} of ${last}`);
  }
});
