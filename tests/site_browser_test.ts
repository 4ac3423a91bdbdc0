import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { axeViolationsInBothSchemes, becomes, sidewaysScroll } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);

test("the theme is the system's, dark or light, and the choice persists", {
  context: { colorScheme: "dark" },
}, async (page) => {
  const control = page.getByLabel("Colours");
  const look = () =>
    page.evaluate(() => {
      const root = document.documentElement;
      return [root.dataset.theme, getComputedStyle(root).colorScheme];
    });
  await page.goto(site.services.surfaces.url("site", "/")!);
  assertEquals(await look(), [undefined, "light dark"]);
  for (const theme of ["light", "dark"]) {
    await control.selectOption(theme);
    await becomes(look, [theme, theme]);
    await page.reload();
    assertEquals(await look(), [theme, theme]);
    // The control is hidden and shows the system's theme until its script runs.
    await becomes(() => control.inputValue(), theme);
  }
  await control.selectOption("system");
  await becomes(look, [undefined, "light dark"]);
  await page.reload();
  assertEquals(await look(), [undefined, "light dark"]);
});

/** Asserts it of the workbench, which is open. */
async function assertLinksToEverySurface(page: Page): Promise<void> {
  const addresses = await page.locator("main a").evaluateAll((links) =>
    links.map((link) => (link as HTMLAnchorElement).href)
  );
  for (const { name, baseUrl } of site.services.surfaces.all) {
    assert(addresses.some((address) => address.startsWith(baseUrl)), name);
  }
  for (const address of new Set(addresses)) {
    const { host, pathname } = new URL(address);
    const response = await site.handler(new Request(address, { headers: { host } }));
    await response.body?.cancel();
    const expected = { "/nowhere": 404, "/api/bank/summary": 401 }[pathname];
    if (expected === undefined) assert(response.status < 400, address);
    else assertEquals(response.status, expected, address);
  }
}

const PAGES = [
  ["workbench", "/"],
  ["foundation", "/contact"],
  ["foundation-mcp", "/"],
  ["commercial-console", "/console"],
  ["api", "/"],
  ["trust", "/"],
  ["trust", "/terms"],
  ["trust", "/privacy"],
  ["site", "/nowhere"],
] as const;

test("no page has axe violations in either color scheme, or scrolls sideways at 320 px", {
  context: { viewport: { width: 320, height: 640 } },
  expectedErrors: [/404/],
}, async (page, _context, t) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  const scriptsOf = new Map<string, string[]>();
  for (const [surface, path] of PAGES) {
    scripts.length = 0;
    await page.goto(site.services.surfaces.url(surface, path)!);
    if (surface === "workbench") {
      await t.step("the workbench links to every surface", () => assertLinksToEverySurface(page));
    }
    assertEquals(await axeViolationsInBothSchemes(page), [], `${surface} ${path}`);
    for (const width of [320, 375, 1280]) {
      if (width > 320) await page.setViewportSize({ width, height: 640 });
      assertEquals(await sidewaysScroll(page), 0, `${surface} ${path} at ${width} px`);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    scriptsOf.set(surface + path, [...scripts]);
  }

  await t.step("a page without islands loads no scripts", () => {
    assertEquals(scriptsOf.get("trust/terms"), []);
    assert(scriptsOf.get("trust/")!.length > 0, "the Colours menu has a script");
  });
});
