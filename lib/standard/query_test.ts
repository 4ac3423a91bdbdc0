import { assertEquals } from "@std/assert";
import { findWords, QUERY_LENGTH, readQuery } from "./query.ts";

const query = (search: string) => readQuery(new URL(`http://site.example/standard${search}`));

Deno.test("a query is trimmed and has a largest length", () => {
  assertEquals(query(""), "");
  assertEquals(query("?q="), "");
  assertEquals(query("?q=%20+salt+"), "salt");
  assertEquals(query("?q=a&q=b"), "a");
  assertEquals(query(`?q=${"x".repeat(5000)}`).length, QUERY_LENGTH);
});

Deno.test("words are found where they begin, in any case, with what follows them", () => {
  const found = (text: string, query: string) =>
    findWords(text, query).filter((piece) => piece.found).map((piece) => piece.text);
  assertEquals(found("The salts. Unsalted, Salt", "salt"), ["salts", "Salt"]);
  assertEquals(found("A document_viewed event", "document_viewed"), ["document_viewed"]);
  assertEquals(found("Zoë asked", "zoë"), ["Zoë"]);
  assertEquals(found("a (b) c", "(b* [c"), ["b", "c"]);
  assertEquals(found("a b", "!?"), []);
});

Deno.test("the pieces together are the text", () => {
  const text = "One hash, two hashes; no rehash.";
  assertEquals(findWords(text, "hash no").map((piece) => piece.text).join(""), text);
});
