import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { hasKey, isKey, KEY_MODES, KEY_PATTERN, newKey } from "./key_text.ts";

/** Keys whose checksums were computed with Python's `zlib.crc32`. */
const RIGHT = [
  "gh_live_0123456789ABCDEFGHIJKLMNOPQRSTUV2OrVfl",
  "gh_live_UVWXYZabcdefghijklmnopqrstuvwxyz0IdIM3",
  "gh_live_000000000000000000000000000000002LB0ao",
  "gh_test_0123456789ABCDEFGHIJKLMNOPQRSTUV0wDRTA",
  "gh_test_UVWXYZabcdefghijklmnopqrstuvwxyz2vtNnm",
  "gh_test_000000000000000000000000000000003nd1JH",
  "gh_test_0000000000000000000000000000006300wXpD",
];

Deno.test("keys with the checksum that other programs compute are keys", () => {
  for (const key of RIGHT) assert(isKey(key), key);
});

Deno.test("text that differs from a key in one place is not a key", () => {
  const [key] = RIGHT;
  const swapped = key.slice(0, 20) + key[21] + key[20] + key.slice(22);
  const wrong = [
    "",
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.replace("gh_live_", "gh_test_"),
    key.replace("gh_live_", "gh_prod_"),
    key.toUpperCase(),
    key.slice(0, -1) + (key.endsWith("0") ? "1" : "0"),
    swapped,
    key.replace(/^(.{12})./, "$1-"),
    key.replace(/^(.{12})./, "$1é"),
    "x".repeat(100_000),
  ];
  for (const text of wrong) assertFalse(isKey(text), text.slice(0, 60));
});

Deno.test("new keys are keys of their mode, and no two are the same", () => {
  for (const mode of KEY_MODES) {
    const keys = Array.from({ length: 200 }, () => newKey(mode));
    assertEquals(new Set(keys).size, keys.length);
    for (const key of keys) {
      assertMatch(key, new RegExp(`^gh_${mode}_[0-9A-Za-z]{38}$`));
      assert(isKey(key));
    }
    // Every digit occurs: 62 of them in 6,400 random places.
    assertEquals(new Set(keys.map((key) => key.slice(8, 40)).join("")).size, 62);
  }
});

Deno.test("the pattern for scanners finds a key in other text, and no longer or shorter word", () => {
  const [key] = RIGHT;
  for (const text of [key, `https://api.example/?key=${key}&x=1`, `KEY="${key}"`, `${key}\n`]) {
    assertEquals(KEY_PATTERN.exec(text)?.[0], key, text);
  }
  for (const text of [`x${key}`, `${key}x`, key.slice(0, -1)]) assertFalse(KEY_PATTERN.test(text));
});

Deno.test("a key in a URL is found as it is, encoded, and beside malformed encodings", () => {
  const [key] = RIGHT;
  const forms = [
    key,
    key.replaceAll("_", "%5F"),
    key.replaceAll("_", "%5f").replace("gh", "%67%68"),
    `x%20${key}`,
    `${key.replaceAll("_", "%5F")}&broken=%E0%A4%A&%zz%`,
  ];
  for (const form of forms) assert(hasKey(`https://api.example/?key=${form}`), form);
  for (const other of ["%E0%A4%A", "%", "gh%5Flive%5F0"]) {
    assertFalse(hasKey(`https://api.example/${other}`), other);
  }
});

Deno.test("the documentation has the pattern for scanners, and a key as an example", async () => {
  const read = (name: string) =>
    Deno.readTextFile(new URL(`../../../docs/${name}`, import.meta.url));
  for (const name of ["issuers.md", "issuing-keys.md"]) {
    assertStringIncludes(await read(name), `    ${KEY_PATTERN.source}\n`);
  }
  assert(isKey(KEY_PATTERN.exec(await read("issuers.md"))![0]));
});
