import { assert } from "@std/assert";
import { createStandard } from "../../lib/features/standard/mod.ts";
import { EXCERPTS } from "./excerpts.ts";

const standard = createStandard();
const oneLine = (text: string) => text.replace(/\s+/g, " ");

for (const { section, quote } of EXCERPTS) {
  Deno.test(`the excerpt of "${section}" on the home page is in the standard, word for word`, () => {
    assert(oneLine(standard.get(section)!.markdown).includes(oneLine(quote)));
  });
}
