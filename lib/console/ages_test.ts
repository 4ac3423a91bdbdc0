import { assertEquals } from "@std/assert";
import { ageText } from "./ages.ts";

Deno.test("an age is told in the largest unit that it fills, and in whole ones", () => {
  const minute = 60_000;
  const hour = 60 * minute;
  for (
    const [age, text] of [
      [-5 * minute, "just now"],
      [0, "just now"],
      [minute - 1, "just now"],
      [minute, "1 minute ago"],
      [2 * minute - 1, "1 minute ago"],
      [2 * minute, "2 minutes ago"],
      [hour - 1, "59 minutes ago"],
      [hour, "1 hour ago"],
      [24 * hour - 1, "23 hours ago"],
      [24 * hour, "1 day ago"],
      [30 * 24 * hour, "30 days ago"],
    ] as const
  ) assertEquals(ageText(age), text);
});
