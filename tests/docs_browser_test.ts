import { assert, assertEquals } from "@std/assert";
import { OPERATIONS } from "../lib/api/mod.ts";
import { axeViolations, axeViolationsInBothSchemes, sidewaysScroll } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);

/** The rules whose result depends on the width of the page. */
const LAYOUT_RULES = ["scrollable-region-focusable", "target-size"];

test("the API reference has no axe violations, fits 320 px, and copies its examples", {
  context: { viewport: { width: 1280, height: 800 }, permissions: ["clipboard-write"] },
}, async (page) => {
  await page.goto(site.services.surfaces.url("api", "/docs")!);
  assertEquals(await axeViolationsInBothSchemes(page), []);
  assertEquals(await page.locator("section.operation").count(), OPERATIONS.length);
  const section = page.locator("section.operation", { has: page.locator("#searchQualifications") });
  await section.getByRole("button", { name: "Copy" }).first().click();
  await section.getByRole("button", { name: "✓ Copied" }).waitFor();
  await page.setViewportSize({ width: 320, height: 800 });
  assertEquals(await sidewaysScroll(page), 0);
  assertEquals(await axeViolations(page, { runOnly: LAYOUT_RULES }), []);
});

Deno.test("/docs lists every operation with its curl line, and the home page links to it", async () => {
  const html = await (await site.request("api", "/docs")).text();
  for (const { id, path } of OPERATIONS) {
    assert(html.includes(`id="${id}"`), id);
    assert(html.includes(`<code>${path}</code>`), path);
  }
  assert((await (await site.request("api", "/")).text()).includes('href="/docs"'));
});
