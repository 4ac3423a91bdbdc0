import { assertEquals } from "@std/assert";
import { cleanJson, cleanText } from "./sanitise.ts";

Deno.test("cleanText() keeps letters, tabs and newlines and removes controls and hidden marks", () => {
  assertEquals(cleanText("Zoë\t日本\n😀 a\u200cb\r\n"), "Zoë\t日本\n😀 a\u200cb\r\n");
  assertEquals(cleanText("\u001b[31mred\u0007\u0000\u009b"), "[31mred");
  assertEquals(cleanText("abc\u202egnp.exe\u2066\u200b\ufeff"), "abcgnp.exe");
  assertEquals(cleanText("hi\u{e0041}\u{e007f}"), "hi");
});

Deno.test("cleanJson() returns the same as JSON.stringify() if nothing is unsafe", () => {
  const value = {
    a: ["x", 1, null, true],
    path: "C:\\u001b\\b",
    line: "one\ntwo",
    when: new Date(0),
  };
  assertEquals(cleanJson(value), JSON.stringify(value));
});

Deno.test("cleanJson() removes unsafe characters, escaped or not, from values and keys", () => {
  const value = { "k\u0000": ["a\u001b", { deep: "b\b\f\u007f\u202e" }], when: new Date(0), n: 1 };
  assertEquals(JSON.parse(cleanJson(value)), {
    k: ["a", { deep: "b" }],
    when: "1970-01-01T00:00:00.000Z",
    n: 1,
  });
});
