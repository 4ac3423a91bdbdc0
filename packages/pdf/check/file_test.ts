import { assertEquals } from "@std/assert";
import { PdfFile } from "./file.ts";

Deno.test("objects that refer to each other in a circle have no value", () => {
  const text = "%PDF-1.7\n1 0 obj 2 0 R endobj\n2 0 obj 1 0 R endobj\n3 0 obj 7 endobj\n" +
    "trailer <</Root 1 0 R>>";
  const file = new PdfFile(new TextEncoder().encode(text));
  assertEquals([1, 2, 3].map((number) => file.object(number)), [null, null, 7]);
});
