import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseStrictJson } from "./strict_json.ts";

Deno.test("parseStrictJson() returns the same value as JSON.parse() if no name is repeated", () => {
  fc.assert(fc.property(fc.json(), fc.nat(2), (text: string, indent: number) => {
    // Parsing removes names that the generator repeated.
    const once = JSON.stringify(JSON.parse(text), null, indent);
    assertEquals(parseStrictJson(once), JSON.parse(once));
  }));
});

Deno.test("parseStrictJson() rejects an object with two members of the same name", () => {
  for (
    const text of [
      '{"a":1,"a":1}',
      '{"a":1,"b":[{"c":"}"},"{"],"a":2}',
      '[{"x":{"a":1, "b":2 ,"a" :3}}]',
      String.raw`{"seq":1,"s\u0065q":1}`,
      String.raw`{"\"":1,"\u0022":1}`,
      '{"__proto__":1,"__proto__":2}',
      '{"":1,"":2}',
    ]
  ) assertThrows(() => parseStrictJson(text), SyntaxError, "occurs twice", text);
});

Deno.test("parseStrictJson() accepts equal names in different objects and equal text elsewhere", () => {
  for (
    const text of [
      '[{"a":1},{"a":1}]',
      '{"a":{"a":{"a":1}}}',
      '{"a":"b","b":"a","c":["a","a","b"]}',
      String.raw`{"a":"\"a\":1,\"a\":2"}`,
      '"a"',
      "{}",
    ]
  ) assertEquals(parseStrictJson(text), JSON.parse(text));
});

Deno.test("parseStrictJson() rejects text that is not JSON", () => {
  for (const text of ["", "{", "{'a':1}", "01", '{"a":1,}', "NaN"]) {
    assertThrows(() => parseStrictJson(text), SyntaxError);
  }
});
