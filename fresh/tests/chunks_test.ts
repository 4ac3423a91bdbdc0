import { assertEquals } from "@std/assert";
import { type Chunk, filesOf } from "../src/build/chunks.ts";

const chunk = (size: number, imports: string[] = [], kind: Chunk["kind"] = "entry"): Chunk => ({
  size,
  imports,
  kind,
});
const divided = (chunks: Record<string, Chunk>, pages: string[][]) =>
  filesOf(new Map(Object.entries(chunks)), pages);

Deno.test("scripts that the same pages load become one file, however large they are", () => {
  const chunks = { a: chunk(90_000), b: chunk(90_000), c: chunk(50_000) };
  assertEquals(divided(chunks, [["a", "b"], ["c"]]), [["a", "b"], ["c"]]);
});

Deno.test("a small script joins a file of other pages too, a large one does not", () => {
  const pages = [["a", "b"], ["a", "b"], ["a"]];
  assertEquals(divided({ a: chunk(5_000), b: chunk(500) }, pages), [["a", "b"]]);
  assertEquals(divided({ a: chunk(5_000), b: chunk(9_000) }, pages), [["a"], ["b"]]);
});

Deno.test("files never import each other in a circle", () => {
  // Joining `a` and `c` would save most, but `b` is between them.
  const chunks = {
    a: chunk(100, ["b"]),
    b: chunk(50_000, ["c"], "shared"),
    c: chunk(100, [], "shared"),
  };
  assertEquals(divided(chunks, [["c"], ["c"], ["c"], ["a"]]).length > 1, true);
  assertEquals(divided(chunks, [["c"], ["a"]]), [["a", "b"], ["c"]]);
});

Deno.test("a script that is loaded on demand stays alone with code that only it shares", () => {
  const chunks = {
    a: chunk(500),
    late: chunk(500, ["part"], "dynamic"),
    part: chunk(500, [], "shared"),
  };
  assertEquals(divided(chunks, [["a"], ["a", "late"]]), [["a"], ["late", "part"]]);
});
