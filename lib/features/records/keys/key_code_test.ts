import { assertEquals, assertMatch } from "@std/assert";
import { findKey, KEY_LENGTH, MAX_KEY_INPUT, newKey } from "./key_code.ts";

Deno.test("newKey returns 128 random bits without look-alikes, and findKey accepts them", () => {
  const keys = Array.from({ length: 500 }, newKey);
  assertEquals(new Set(keys).size, keys.length);
  for (const key of keys) {
    assertEquals(key.length, KEY_LENGTH);
    assertMatch(key, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    assertEquals(findKey(key), key);
  }
  // Each of the 128 bits is sometimes 0 and sometimes 1.
  for (
    const [place, first] of [[0, "01234567"], [25, "0123456789ABCDEFGHJKMNPQRSTVWXYZ"]] as const
  ) {
    assertEquals(new Set(keys.map((key) => key[place])).size, first.length);
  }
});

Deno.test("findKey reads typed keys, look-alikes, and whole addresses", () => {
  const key = "7HQ01ZXC4V8B2N6M9KJHGFD5S3";
  const groups = key.match(/.{1,4}/g)!;
  for (
    const text of [
      key,
      key.toLowerCase(),
      groups.join(" "),
      ` ${groups.join("-")}\n`,
      key.replace("0", "o").replace("1", "l"),
      key.replace("0", "O").replace("1", "I"),
      `https://trust.example/k#${key}`,
      `#${key}`,
    ]
  ) {
    assertEquals(findKey(text), key, text);
  }
});

Deno.test("findKey returns null for text that is too short, too long, or has other characters", () => {
  const key = newKey();
  for (
    const text of [
      "",
      key.slice(1),
      key + "0",
      "8" + key.slice(1), // would be more than 128 bits
      key.slice(1) + "U",
      key.slice(1) + "é",
      "https://trust.example/k",
      " ".repeat(MAX_KEY_INPUT) + key,
    ]
  ) {
    assertEquals(findKey(text), null, text);
  }
});
