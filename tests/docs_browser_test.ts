import { assert, assertEquals, assertFalse } from "@std/assert";
import type { Page } from "playwright-core";
import { GUIDES, OPERATIONS } from "../lib/features/api/mod.ts";
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

test("the guide of the contact form opens the hosted form, and fits 375 px", {
  context: { viewport: { width: 375, height: 812 }, reducedMotion: "reduce" },
}, async (page) => {
  await page.goto(site.services.surfaces.url("api", "/docs/contact-form")!);
  assertEquals(await sidewaysScroll(page), 0);
  assertEquals(await axeViolationsInBothSchemes(page), []);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await page.getByRole("button", { name: "Open it as a dialog" }).click();
  await name.waitFor();
  await page.keyboard.press("Escape");
  await name.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Show it in this page" }).click();
  await name.fill("Ada");
  assertEquals(await page.locator("dialog[open]").count(), 0);
  assertEquals(await page.locator("script[src$='/components/contact-form.js']").count(), 1);
});

Deno.test("guides have the deployment's addresses and no files, and all their links lead somewhere", async () => {
  const { surfaces } = site.services;
  for (const { id, title } of GUIDES) {
    const html = await (await site.request("api", `/docs/${id}`)).text();
    const guide = html.slice(
      html.indexOf('<article class="published"'),
      html.indexOf("</article>"),
    );
    assert(guide.includes(title), id);
    assertFalse(/api\.example|\.md\b|trust\.localhost:8000/.test(guide), id);
    for (const [, href] of guide.matchAll(/ href="((?:http|\/)[^"#]*)/g)) {
      const url = new URL(href, surfaces.url("api")!);
      const surface = surfaces.byOrigin(url.origin)!;
      const { status } = await site.request(surface.name, url.pathname);
      assertEquals(status, 200, `${id}: ${href}`);
    }
  }
  assertEquals((await site.request("api", "/docs/unknown")).status, 404);
  assertEquals((await site.request("api", "/docs/app/unknown.ts")).status, 404);
});

Deno.test("the commercial site leads to the guide of the form from its home page and every footer", async () => {
  const guide = site.services.surfaces.url("api", "/docs/contact-form")!;
  for (const [path, count] of [["/", 2], ["/security", 1]] as const) {
    const html = await (await site.request("commercial", path)).text();
    assertEquals(html.split(`href="${guide}"`).length - 1, count, path);
  }
});
