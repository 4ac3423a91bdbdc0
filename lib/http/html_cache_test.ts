import { assert, assertEquals } from "@std/assert";
import { createHtmlCache } from "./html_cache.ts";

Deno.test("HTML is rendered once per key, and the least recently used is dropped at the limit", () => {
  const cache = createHtmlCache({ limit: 22 });
  const rendered: string[] = [];
  const get = (key: string) =>
    cache.get(key, () => {
      rendered.push(key);
      return "1234567890";
    });
  for (const key of ["a", "b", "a", "c", "a", "b"]) assertEquals(get(key), "1234567890");
  assertEquals(rendered, ["a", "b", "c", "b"], "c replaced b, because a had been used since");
  assertEquals(cache.size, 22);
});

Deno.test("HTML that is longer than the limit is returned but not stored", () => {
  const cache = createHtmlCache({ limit: 5 });
  assertEquals(cache.get("a", () => "123456"), "123456");
  assert(cache.size === 0);
});
