import { assert, assertFalse, assertStringIncludes } from "@std/assert";
import { createSite } from "./site.ts";

Deno.test("a guide that continues another one links it, and only that of the form is about origins", async () => {
  await using site = await createSite();
  const textOf = async (id: string) => (await site.request("api", `/docs/${id}`)).text();
  const link = '<p class="eyebrow"><a href="/docs/issuing"';
  const origins = "to have the origin of your site listed";
  for (const id of ["issuing-keys", "issuing-batches"]) {
    const html = await textOf(id);
    assertStringIncludes(html, link, id);
    assertFalse(html.includes(origins), id);
  }
  assertFalse((await textOf("issuing")).includes(link));
  const form = await textOf("contact-form");
  assert(form.includes(origins));
  assertFalse(form.includes(link));
});
