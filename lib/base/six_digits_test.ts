import { assertEquals } from "@std/assert";
import { digitsOf, randomDigits } from "./six_digits.ts";

Deno.test("random codes have six digits, and values that would favour some codes are drawn again", () => {
  const draws = [2 ** 32 - 1, 4_294_000_000, 4_293_999_999];
  assertEquals(randomDigits(() => draws.shift()!), "999999");
  assertEquals(randomDigits(() => 7), "000007");
  assertEquals(/^\d{6}$/.test(randomDigits()), true);
});

Deno.test("a code may be typed with spaces, dashes and other digits, but must have six of them", () => {
  for (
    const typed of [
      "747723",
      " 747-723 ",
      "747 723",
      "7–4—7 7.2.3".replaceAll(".", ""),
      "٧٤٧٧٢٣",
      "۷۴۷۷۲۳",
      "７４７７２３",
      "\u200e747723\u200f",
    ]
  ) {
    assertEquals(digitsOf(typed), "747723", typed);
  }
  for (const typed of ["", "74772", "7477231", "74772a", "七四七七二三", "7".repeat(100)]) {
    assertEquals(digitsOf(typed), null, typed);
  }
});
