import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { providerOf } from "./mod.ts";

Deno.test("a fingerprint names the bank, and differs between tokens", () => {
  const of = (token: string) =>
    providerOf("mercury", { baseUrl: "https://bank.example", token, fetch }).fingerprint;
  assertMatch(of("one"), /^mercury-[0-9a-f]{16}$/);
  assertEquals(of("one"), of("one"));
  assertNotEquals(of("one"), of("two"));
});
