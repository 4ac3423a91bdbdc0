import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { axeViolationsInBothSchemes, becomes, sidewaysScroll } from "./browser.ts";
import { assertMenuAtTopRight, assertPrintsLight } from "./frame_checks.ts";
import { servedSite } from "./served_site.ts";
import { showMain } from "./show_main.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);

test("the theme is the system's, dark or light, and the choice persists", {
  context: { colorScheme: "dark" },
}, async (page, context) => {
  const home = site.services.surfaces.url("site", "/")!;
  const control = page.getByLabel("Colours");
  const look = () =>
    page.evaluate(() => {
      const root = document.documentElement;
      return [root.dataset.theme, getComputedStyle(root).colorScheme];
    });
  /** Returns the choice as the browser stores it, which is a moment after the page has set it. */
  const stored = async () =>
    (await context.cookies(home)).find(({ name }) => name === "theme")?.value;
  await page.goto(home);
  assertEquals(await look(), [undefined, "light dark"]);
  for (const theme of ["light", "dark"]) {
    await control.selectOption(theme);
    await becomes(look, [theme, theme]);
    await becomes(stored, theme);
  }
  await page.reload();
  assertEquals(await look(), ["dark", "dark"]);
  // Until its script runs, the control is a button.
  await becomes(() => control.inputValue(), "dark");
  await control.selectOption("system");
  await becomes(look, [undefined, "light dark"]);
  await becomes(stored, undefined);
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

/** Pages, and whether their Colours menu and prints are checked. */
const PAGES = [
  ["workbench", "/"],
  ["foundation", "/contact"],
  ["foundation-mcp", "/"],
  ["commercial-console", "/console"],
  ["api", "/", "menu"],
  ["trust", "/terms", "print"],
  ["trust", "/log", "print"],
  ["trust", "/log/about", "print"],
  ["trust", "/nowhere", "print"],
  ["foundation", "/nowhere"],
  ["commercial", "/nowhere"],
] as const;
/** More pages with the same styles and frame as one of those. */
const OTHERS: Record<string, [surface: SurfaceName, path: string, status?: number][]> = {
  "trust/terms": [["trust", "/privacy"]],
  "trust/nowhere": [["site", "/nowhere", 404]],
};

test("no page has axe violations in either color scheme, or scrolls sideways at 320 px", {
  context: { viewport: { width: 320, height: 640 } },
  expectedErrors: [/status of 404 .*\/nowhere\)$/],
}, async (page, _context, t) => {
  const check = async (where: string) => {
    assertEquals(await axeViolationsInBothSchemes(page), [], where);
    for (const width of [375, 1280, 320]) {
      await page.setViewportSize({ width, height: 640 });
      assertEquals(await sidewaysScroll(page), 0, `${where} at ${width} px`);
    }
  };
  await site.services.jobs.run("log"); // so that its page has a chart and witnesses
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  const scriptsOf = new Map<string, string[]>();
  for (const [surface, path, frame] of PAGES) {
    const name = surface + path;
    scripts.length = 0;
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(site.services.surfaces.url(surface, path)!);
    if (surface === "workbench") {
      await t.step("the workbench links to every surface", () => assertLinksToEverySurface(page));
    }
    await check(name);
    scriptsOf.set(name, [...scripts]);
    if (frame !== undefined) await assertPrintsLight(page, name);
    if (frame === "menu") await assertMenuAtTopRight(page, name);
    for (const other of OTHERS[name] ?? []) {
      const [surface, path, status] = other;
      await showMain(page, await site.request(surface, path), status);
      await check(other.join(" "));
    }
  }

  await t.step("a page without islands loads no scripts", () => {
    assertEquals(scriptsOf.get("trust/terms"), []);
    assert(scriptsOf.get("api/")!.length > 0, "the Colours menu has a script");
  });
});
