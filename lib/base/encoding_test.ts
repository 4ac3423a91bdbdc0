import { assertEquals, assertThrows } from "@std/assert";
import { decodeBase64Url, encodeBase64Url } from "./encoding.ts";

Deno.test("base64url has the alphabet of RFC 4648 and no padding, also for many bytes", () => {
  const all = Uint8Array.from({ length: 200_000 }, (_, i) => i * 7);
  for (const length of [0, 1, 2, 3, 4, 5, 256, all.length]) {
    const bytes = all.slice(0, length);
    const text = encodeBase64Url(bytes);
    assertEquals(text, bytes.toBase64({ alphabet: "base64url", omitPadding: true }));
    assertEquals(decodeBase64Url(text), bytes);
  }
  assertEquals(encodeBase64Url(Uint8Array.of(251, 255).buffer), "-_8");
  assertEquals(decodeBase64Url("-_8="), Uint8Array.of(251, 255));
  assertEquals(decodeBase64Url("-_9"), Uint8Array.of(251, 255)); // with unused bits
  for (const text of ["A", "AAAAA", "+A", "A/", "A A", "A\n", "AA=A", "AA===", "é"]) {
    assertThrows(() => decodeBase64Url(text), TypeError, "not base64url", text);
  }
});
