import { assert, assertEquals, assertFalse } from "@std/assert";
import { GUIDES, OPERATIONS } from "../lib/features/api/mod.ts";
import { assertAccessible } from "./page_checks.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);

test(
  "pages of operations have no axe violations, fit 320 px, and copy the sample of the chosen tab",
  {
    context: { viewport: { width: 320, height: 800 }, permissions: ["clipboard-write"] },
  },
  async (page) => {
    const { surfaces } = site.services;
    await page.goto(surfaces.url("api", "/docs/operations/createWebhook")!);
    await assertAccessible(page, "an operation", { narrow: true });
    await page.setViewportSize({ width: 320, height: 800 });
    await page.getByRole("radio", { name: "curl" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const python = page.getByText("from gatehouse import call");
    await python.waitFor();
    assertEquals(await page.getByText("--fail-with-body").isVisible(), false);
    const copy = page.getByRole("button", { name: "Copy" }).filter({ visible: true }).first();
    await Promise.all([
      page.getByRole("button", { name: "✓ Copied" }).waitFor(), // for two seconds
      copy.click(),
    ]);
    await page.emulateMedia({ media: "print" });
    assertEquals(await page.getByText("--fail-with-body").isVisible(), true);
  },
);

Deno.test("/docs links to a page for every operation, which shows its samples, responses and errors", async () => {
  const html = await (await site.request("api", "/docs")).text();
  for (const { id, path, errors } of OPERATIONS) {
    assert(html.includes(`<code>${path}</code>`), path);
    assert(html.includes(`href="/docs/operations/${id}"`), id);
    const response = await site.request("api", `/docs/operations/${id}`);
    const page = await response.text();
    assertEquals([id, response.status], [id, 200]);
    for (const code of Object.values(errors).flatMap(({ codes }) => codes)) {
      assert(page.includes(`<code>${code}</code>`), `${id}: ${code}`);
    }
  }
  assertEquals((await site.request("api", "/docs/operations/unknown")).status, 404);
  assert((await (await site.request("api", "/")).text()).includes('href="/docs"'));
});

test("the guide of the contact form opens the hosted form, and fits 375 px", {
  context: { viewport: { width: 375, height: 812 }, reducedMotion: "reduce" },
}, async (page) => {
  await page.goto(site.services.surfaces.url("api", "/docs/contact-form")!);
  await assertAccessible(page, "the guide", { narrow: true });
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
      html.indexOf('<article class="reading-page"'),
      html.indexOf("</article>"),
    );
    assert(guide.includes(title), id);
    assertFalse(/api\.example|\.md\b|trust\.localhost:8000/.test(guide), id);
    for (const [, href] of guide.matchAll(/ href="((?:http|\/)[^"#]*)/g)) {
      const url = new URL(href, surfaces.url("api")!);
      const surface = surfaces.byOrigin(url.origin);
      if (surface === undefined) {
        assertEquals(url.origin, "https://www.standardwebhooks.com", id);
        continue;
      }
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
