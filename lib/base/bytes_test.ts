import { assertEquals, assertThrows } from "@std/assert";
import { concatBytes, decodeHex, encodeHex } from "./bytes.ts";

Deno.test("bytes become two hexadecimal digits each, and digits of either case become bytes", () => {
  const bytes = Uint8Array.of(0, 9, 16, 255);
  assertEquals(encodeHex(bytes), "000910ff");
  assertEquals(encodeHex(bytes.buffer), "000910ff");
  assertEquals(encodeHex(bytes.subarray(2)), "10ff");
  assertEquals([decodeHex("000910ff"), decodeHex("000910FF")], [bytes, bytes]);
  assertEquals([encodeHex(new Uint8Array()), decodeHex("").length], ["", 0]);
});

Deno.test("text that is not hexadecimal, or has an odd number of digits, throws a TypeError", () => {
  for (const text of ["0", "0g", "0x", " 00", "00\n", "-1"]) {
    assertThrows(() => decodeHex(text), TypeError, "hexadecimal");
  }
});

Deno.test("parts are joined in order", () => {
  assertEquals(
    concatBytes([Uint8Array.of(1, 2), new Uint8Array(), Uint8Array.of(3)]),
    Uint8Array.of(1, 2, 3),
  );
});
