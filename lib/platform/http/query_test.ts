import { assertEquals, assertThrows } from "@std/assert";
import { z } from "zod";
import { RequestError } from "./errors.ts";
import { readFirstOfEach, readLastOfEach, readNonEmpty } from "./query.ts";

const schema = z.object({ q: z.string().max(5).optional(), level: z.string().optional() });
const at = (search: string) => ({ url: new URL(`https://site.example/${search}`) });

Deno.test("of a parameter that is repeated, the first or the last counts", () => {
  const request = at("?q=a&q=b&other=1");
  assertEquals(readFirstOfEach(request, schema), { q: "a", level: "" });
  assertEquals(readLastOfEach(request, schema), { q: "b" });
  assertEquals(readNonEmpty(request, schema), { q: "b" });
});

Deno.test("an empty parameter counts as missing where forms send it", () => {
  const request = at("?q=&level=+&q=a&q=");
  assertEquals(readNonEmpty(request, schema), { q: "a" });
  assertEquals(readLastOfEach(request, schema), { q: "", level: " " });
});

Deno.test("a parameter that the schema refuses is named in the error", () => {
  for (const read of [readFirstOfEach, readLastOfEach, readNonEmpty]) {
    const { status, issues } = assertThrows(() => read(at("?q=abcdef"), schema), RequestError);
    assertEquals([status, Object.keys(issues!)], [400, ["q"]]);
  }
});
