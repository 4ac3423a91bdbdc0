import { assert, assertEquals } from "@std/assert";
import { processorMs } from "../testing/times.ts";
import { asciiDigits, hasWord, isVisible, trimmed, unmarked, withUsualForms } from "./pasted.ts";

Deno.test("unmarked() removes marks anywhere, and keeps joiners that letters of a script need", () => {
  assertEquals(unmarked("\u202d0491\u200b 570\u2060 006\u202c"), "0491 570 006");
  assertEquals(unmarked("\ufeff\u200bname\u00a0"), "name");
  assertEquals(unmarked("a\u200db\u200c"), "ab");
  assertEquals(unmarked("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"), "می‌خواهم");
  assertEquals(unmarked("\u0915\u094d\u200d\u0937\u200d"), "क्‍ष");
});

Deno.test("the time to remove marks is linear in the length of a text", async () => {
  for (const marks of ["\u0301", "\u200d\u0301", "\u200c", "\u0645\u200d"]) {
    const text = "\u0645" + marks.repeat(32_000);
    const spent = await processorMs(() => unmarked(text));
    assert(spent < 1_000, `${spent} ms for 32,000 times ${JSON.stringify(marks)}`);
  }
});

Deno.test("trimmed() removes marks at the ends only, and no selector of an emoji", () => {
  assertEquals(trimmed("\u2068 Zoë\u200bA \u2069\n"), "Zoë\u200bA");
  assertEquals(trimmed("❤\ufe0f"), "❤\ufe0f");
  assertEquals(trimmed("\u200b \u200e"), "");
});

Deno.test("a text of fillers, blanks, marks and separators is not visible", () => {
  const blank = [
    "",
    "\u3164",
    "\u2800",
    "\uffa0\u115f",
    "\u200b\u00ad",
    "\ufffc",
    "\u0301",
    "\u3000",
  ];
  for (const text of blank) assertEquals([isVisible(text), hasWord(text)], [false, false], text);
  for (const text of ["!", "❤\ufe0f"]) {
    assertEquals([isVisible(text), hasWord(text)], [true, false], text);
  }
  for (const text of ["x", "\u3164x", "日", "٣"]) assertEquals(hasWord(text), true, text);
});

Deno.test("asciiDigits() reads the digits of all scripts", () => {
  assertEquals(asciiDigits("０４９１ ٥٧٠ ०१९ 𝟗𝟘 12"), "0491 570 019 90 12");
});

Deno.test("withUsualForms() normalises ligatures and full-width and half-width forms, and nothing else", () => {
  assertEquals(withUsualForms("Oﬃcer ﬁnance ﬅ"), "Officer finance st");
  assertEquals(withUsualForms("Ｊｏｈｎ　Ｓｍｉｔｈ"), "John Smith");
  assertEquals(withUsualForms("ｶﾞｰﾄﾞ"), "ガード");
  const others = "x² ½ ™ ㈱ ℌ Ⅳ ﷺ ĳ … \u00a0ß";
  assertEquals(withUsualForms(others), others);
});
