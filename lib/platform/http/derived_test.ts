import { assertEquals } from "@std/assert";
import { derive } from "./derived.ts";

Deno.test("a value is made once of each text and by each function, and again when others took its room", () => {
  const made: string[] = [];
  const upper = (text: string) =>
    derive("upper", text, (text) => (made.push(text), text.toUpperCase()));
  const double = (text: string) => derive("double", text, (text) => text + text);
  assertEquals([upper("a"), double("a"), upper("b")], ["A", "aa", "B"]);
  assertEquals([upper("a"), upper("b")], ["A", "B"]);
  assertEquals(made, ["a", "b"]);
  for (let i = 0; i < 5; i++) double(`${i}`.repeat(300_000));
  assertEquals([upper("b"), made], ["B", ["a", "b", "b"]]);
});
