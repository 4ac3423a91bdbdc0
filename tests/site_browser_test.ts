import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { becomes } from "./browser.ts";
import { assertMenuAtTopRight, assertPrintsLight } from "./frame_checks.ts";
import { assertAccessible } from "./page_checks.ts";
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

interface Place {
  on: SurfaceName;
  path: string;
  status?: number;
  /** Only the main element is shown, in the page before it, which has the same styles: no script changes it. */
  still?: boolean;
  /** Further checks, of its Colours menu and its print. */
  checks?: ("menu" | "print")[];
}

/** The pages of every surface but the consoles that are as they were loaded, unless another test opens them. */
const PLACES: Place[] = [
  { on: "workbench", path: "/" },
  { on: "foundation", path: "/contact" },
  { on: "foundation", path: "/governance" },
  { on: "foundation", path: "/implementations", still: true },
  { on: "foundation", path: "/verifier" },
  { on: "foundation-mcp", path: "/" },
  { on: "commercial-console", path: "/console" },
  { on: "api", path: "/", checks: ["menu"] },
  { on: "api", path: "/docs" },
  { on: "api", path: "/docs/errors", still: true },
  { on: "api", path: "/docs/changelog", still: true },
  { on: "witness", path: "/", checks: ["menu", "print"] },
  { on: "site", path: "/auth", checks: ["menu", "print"] },
  { on: "trust", path: "/terms", checks: ["print"] },
  { on: "trust", path: "/privacy", still: true },
  { on: "trust", path: "/log", checks: ["print"] },
  { on: "trust", path: "/log/about", checks: ["print"] },
  { on: "trust", path: "/nowhere", status: 404, checks: ["print"] },
  { on: "site", path: "/nowhere", status: 404, still: true },
  { on: "foundation", path: "/nowhere", status: 404 },
  { on: "commercial", path: "/nowhere", status: 404 },
];

test(
  "no page has axe violations in either color scheme, or scrolls sideways at 1280, 375 and 320 px",
  {
    context: { viewport: { width: 320, height: 800 } },
    expectedErrors: [/status of 404 .*\/nowhere\)$/],
  },
  async (page, _context, t) => {
    await site.services.jobs.run("log"); // so that its page has a chart and witnesses
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.push(request.url());
    });
    const scriptsOf = new Map<string, string[]>();
    for (const { on, path, status, still, checks = [] } of PLACES) {
      const name = on + path;
      scripts.length = 0;
      if (still) await showMain(page, await site.request(on, path), status);
      else await page.goto(site.services.surfaces.url(on, path)!);
      if (on === "workbench") {
        await t.step("the workbench links to every surface", () => assertLinksToEverySurface(page));
      }
      await assertAccessible(page, name, { narrow: true });
      scriptsOf.set(name, [...scripts]);
      if (checks.includes("print")) await assertPrintsLight(page, name);
      if (checks.includes("menu")) await assertMenuAtTopRight(page, name);
    }

    await t.step("a page without islands loads no scripts", () => {
      assertEquals(scriptsOf.get("trust/terms"), []);
      assert(scriptsOf.get("api/")!.length > 0, "the Colours menu has a script");
    });
  },
);
