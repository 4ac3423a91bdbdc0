import { assertEquals, assertRejects } from "@std/assert";
import { utf8 } from "../../../lib/base/bytes.ts";
import { PdfError } from "../problem.ts";
import { Inflation } from "./inflation.ts";
import { LocatingParser } from "./parser.ts";

const parse = (number: number) =>
  new LocatingParser(
    utf8(
      `%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj\n${number} 0 obj 7 endobj\n` +
        "trailer <</Root 1 0 R>>\n%%EOF\n",
    ),
    new Inflation(),
  ).parseDocument();

Deno.test("a PDF with an object whose number is larger than all programs read is refused", async () => {
  assertEquals((await parse(4_194_304)).largestObjectNumber, 4_194_304);
  const { code } = await assertRejects(() => parse(4_194_305), PdfError, "large numbers");
  assertEquals(code, "damaged");
});
