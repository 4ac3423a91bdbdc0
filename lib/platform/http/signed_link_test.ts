import { assertEquals, assertMatch } from "@std/assert";
import { secretsOf } from "../../base/secrets.ts";
import { createSignedLinks } from "./signed_link.ts";

const secrets = secretsOf(() => Promise.resolve([new Uint8Array(32).fill(7)]));
const purpose = "key-revocation";
const keys = createSignedLinks({ path: "/keys/revoke", purpose, of: /^[a-z]{1,4}$/ });

const read = (path: string) =>
  keys.schema.parse(Object.fromEntries(new URL(path, "https://trust.test").searchParams));

Deno.test("a link leads to the id and the subject that were signed, and to no others", async () => {
  const path = await keys.pathOf(secrets, "abc", "abc/ada@example.com");
  assertMatch(path, /^\/keys\/revoke\?of=abc&token=[\w-]{43}$/);
  const link = read(path);
  assertEquals(await keys.isMailed(secrets, link, "abc/ada@example.com"), true);
  assertEquals(await keys.isMailed(secrets, link, "abc/eve@example.com"), false);
  assertEquals(await keys.isMailed(secrets, link), false);
  const own = read(await keys.pathOf(secrets, "abc"));
  assertEquals(await keys.isMailed(secrets, own), true);
  assertEquals(await keys.isMailed(secrets, { ...own, of: "abd" }), false);
});

Deno.test("a signature of another purpose is not a link", async () => {
  const others = createSignedLinks({ path: "/accept", purpose: "acceptance", of: /^[a-z]{1,4}$/ });
  const link = read(await others.pathOf(secrets, "abc"));
  assertEquals(await keys.isMailed(secrets, link), false);
});

Deno.test("an id of another form, or a token longer than 200 characters, is refused before it is checked", () => {
  const token = "a".repeat(200);
  assertEquals(keys.schema.safeParse({ of: "abc", token }).success, true);
  for (
    const link of [{ of: "", token }, { of: "abcde", token }, { of: "abc", token: `${token}a` }]
  ) {
    assertEquals(keys.schema.safeParse(link).success, false);
  }
  assertEquals(keys.schema.safeParse({ of: "abc" }).success, false);
});
