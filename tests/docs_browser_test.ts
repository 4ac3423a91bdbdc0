import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { OPERATIONS } from "../lib/features/api/mod.ts";
import { axeViolations, axeViolationsInBothSchemes, sidewaysScroll } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);

/** Removes each operation that has only the kinds of elements, with their colours, of earlier ones. */
const removeRepetitions = (page: Page) =>
  page.locator("section.operation").evaluateAll((operations) => {
    const seen = new Set<string>();
    for (const operation of operations) {
      const kindOf = (element: Element): string =>
        element === operation
          ? ""
          : `${kindOf(element.parentElement!)} > ${element.tagName}.${element.className}`;
      const size = seen.size;
      for (const element of operation.querySelectorAll("*")) seen.add(kindOf(element));
      if (seen.size === size) operation.remove();
    }
  });

test("the API reference has no axe violations, fits 320 px, and copies its examples", {
  context: { viewport: { width: 320, height: 800 }, permissions: ["clipboard-write"] },
}, async (page) => {
  await page.goto(site.services.surfaces.url("api", "/docs")!);
  const operations = page.locator("section.operation");
  assertEquals(await operations.count(), OPERATIONS.length);
  assertEquals(await sidewaysScroll(page), 0);
  const withoutContrast = { rules: { "color-contrast": { enabled: false } } };
  assertEquals(await axeViolations(page, withoutContrast), []);

  await page.setViewportSize({ width: 1280, height: 800 });
  const section = operations.filter({ has: page.locator("#searchQualifications") });
  await Promise.all([
    section.getByRole("button", { name: "✓ Copied" }).waitFor(), // for two seconds
    section.getByRole("button", { name: "Copy" }).first().click(),
  ]);
  await removeRepetitions(page);
  assertEquals(await axeViolationsInBothSchemes(page), []);
});

Deno.test("/docs lists every operation with its curl line, and the home page links to it", async () => {
  const html = await (await site.request("api", "/docs")).text();
  for (const { id, path } of OPERATIONS) {
    assert(html.includes(`id="${id}"`), id);
    assert(html.includes(`<code>${path}</code>`), path);
  }
  assert((await (await site.request("api", "/")).text()).includes('href="/docs"'));
});
