import { assertEquals, assertStrictEquals } from "@std/assert";
import { createStandard } from "./mod.ts";
import { createStandardPages } from "./pages.ts";

const standard = createStandard();

Deno.test("a page has its neighbours; the first none before it, the last none after it", () => {
  const pages = createStandardPages(standard);
  const neighbours = (id: string) => [pages.get(id)!.previous?.id, pages.get(id)!.next?.id];
  assertEquals(neighbours("introduction"), [undefined, "records"]);
  assertEquals(neighbours("heads"), ["event-kinds", "trust-levels"]);
  assertEquals(neighbours("test-vectors"), ["conformance", undefined]);
  assertEquals(pages.get("nothing"), undefined);
});

Deno.test("a page is rendered once", () => {
  const pages = createStandardPages(standard);
  assertStrictEquals(pages.get("heads"), pages.get("heads"));
});

Deno.test("a page's text begins below the title and the summary", () => {
  const pages = createStandardPages(standard);
  for (const { id, title, summary, markdown } of standard.sections) {
    const { html, section } = pages.get(id)!;
    assertEquals(html.includes(`>${title}</a></h`), false, id);
    assertEquals(html.includes(summary), false, id);
    assertEquals(section.markdown, markdown);
    const last = markdown.trim().split(/\s+/).at(-1)!.replace(/[`*]/g, "");
    if (!last.startsWith("|")) assertEquals(html.includes(last), true, `${id}: ${last}`);
  }
});
