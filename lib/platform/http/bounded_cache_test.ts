import { assertEquals } from "@std/assert";
import { createBoundedCache } from "./bounded_cache.ts";

const create = (limit: number) =>
  createBoundedCache({ limit, sizeOf: (text: string) => text.length });

Deno.test("a value is made once per key, and the least recently used is dropped at the limit", () => {
  const cache = create(22);
  const made: string[] = [];
  const get = (key: string) =>
    cache.getOrAdd(key, () => {
      made.push(key);
      return "1234567890";
    });
  for (const key of ["a", "b", "a", "c", "a", "b"]) assertEquals(get(key), "1234567890");
  assertEquals(made, ["a", "b", "c", "b"], "c replaced b, because a had been used since");
  assertEquals(cache.size, 22);
});

Deno.test("a value that is larger than the limit is returned but not stored, and displaces nothing", () => {
  const cache = create(5);
  cache.set("b", "1234");
  assertEquals(cache.getOrAdd("a", () => "12345"), "12345");
  assertEquals([cache.get("a"), cache.get("b"), cache.size], [undefined, "1234", 5]);
});

Deno.test("a value that is set again replaces the older one, in the size too", () => {
  const cache = create(20);
  cache.set("a", "1234567890");
  cache.set("a", "123");
  assertEquals([cache.get("a"), cache.size], ["123", 4]);
});
