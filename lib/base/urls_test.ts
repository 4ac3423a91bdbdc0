import { assertEquals } from "@std/assert";
import { parseUrl } from "./urls.ts";

Deno.test("parseUrl() parses what URL.parse() parses, and returns null for the rest", () => {
  const texts = [
    "https://a.example/b?c#d",
    "/path",
    "",
    "https://",
    "a b",
    "mailto:a@b.example",
    "//x",
  ];
  for (const text of texts) {
    for (const base of [undefined, "http://c.example/d/", "nowhere"]) {
      assertEquals(parseUrl(text, base)?.href, URL.parse(text, base)?.href, `${text} on ${base}`);
    }
  }
});
