import { assert, assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import type { Page, Request as PageRequest } from "playwright-core";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { axeViolations, axeViolationsInBothSchemes, becomes, sidewaysScroll } from "./browser.ts";
import { assertMenuAtTopRight, assertPrintsLight } from "./frame_checks.ts";
import { assertNoLayoutShift, reloadWithFonts } from "./layout.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);

const SITES = ["foundation", "commercial"] as const;
/** The most that a home page may load before anyone scrolls. The commercial one has screenshots. */
const KILOBYTES = { foundation: 100, commercial: 150 };

/** Returns the bytes of a file of the site with gzip. It asks the site, because the browser is slow at that. */
async function compressedSize(url: string): Promise<number> {
  const response = await site.handler(new Request(url, { headers: { host: new URL(url).host } }));
  assertEquals(response.status, 200, url);
  return gzipSync(await response.bytes()).length;
}

for (const surface of SITES) {
  for (const width of [1280, 375]) {
    browser.test(
      `${surface}: the home page has no layout shift, at most 20 KB of scripts and ${
        KILOBYTES[surface]
      } KB in total, at ${width} px with dense pixels`,
      { context: { viewport: { width, height: 800 }, deviceScaleFactor: 2 } },
      async (page) => {
        const loaded: PageRequest[] = [];
        const note = (request: PageRequest) => void loaded.push(request);
        page.on("requestfinished", note);
        await page.goto(site.services.surfaces.url(surface, "/")!, { waitUntil: "networkidle" });
        page.off("requestfinished", note);
        const parts = await Promise.all(loaded.map(async (request) => ({
          script: request.resourceType() === "script",
          bytes: await compressedSize(request.url()),
        })));
        const sum = (list: typeof parts) => list.reduce((total, { bytes }) => total + bytes, 0);
        const scripts = sum(parts.filter(({ script }) => script));
        assert(scripts > 0 && scripts <= 20_000, `${scripts} bytes of scripts`);
        assert(sum(parts) <= KILOBYTES[surface] * 1000, `${sum(parts)} bytes`);

        await reloadWithFonts(page);
        await assertNoLayoutShift(page);
      },
    );
  }
}

/** Asserts it of the commercial home page. `requested` has the paths of its requests. */
async function assertPicturesFollowTheme(page: Page, requested: string[]): Promise<void> {
  assertEquals(await page.evaluate(() => document.getAnimations().length), 0);
  const schemeOf = (picture: string) => /-(light|dark)-/.exec(picture)?.[1];
  const check = page.getByRole("img", { name: "The result of a check" });
  await check.scrollIntoViewIfNeeded();
  const shown = () => check.evaluate((img: HTMLImageElement) => img.complete && img.currentSrc);
  await becomes(async () => schemeOf(String(await shown())), "light");
  assert(!requested.some((path) => schemeOf(path) === "dark"), requested.join(" "));
  const control = page.getByLabel("Colours");
  await control.selectOption("dark");
  await becomes(async () => schemeOf(String(await shown())), "dark");
  await control.selectOption("system");
  await becomes(async () => schemeOf(String(await shown())), "light");
}

/**
 * Returns the texts and controls that the badge overlaps at any scroll position. Whatever scrolls with
 * the badge is compared once, and the rest every 160 px.
 */
const coveredByBadge = (page: Page) =>
  page.evaluate(() => {
    scrollTo({ top: 0, behavior: "instant" });
    const badge = document.querySelector(".mcp-badge")!;
    const still = [...document.querySelectorAll("body *")].filter((element) =>
      ["fixed", "sticky"].includes(getComputedStyle(element).position)
    );
    const scrolls = (node: Node) => !still.some((element) => element.contains(node));
    const parts: { name: string; scrolls: boolean; measure: () => DOMRect[] }[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const text = node.textContent!.trim();
      if (badge.contains(node) || text === "") continue;
      if (!node.parentElement!.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const measure = () => [...range.getClientRects()];
      parts.push({ name: text, scrolls: scrolls(node), measure });
    }
    for (const control of document.querySelectorAll("a, button, summary, input, select")) {
      if (control === badge) continue;
      const measure = () => [control.getBoundingClientRect()];
      parts.push({ name: control.outerHTML, scrolls: scrolls(control), measure });
    }
    const covered: string[] = [];
    const addCovered = (among: typeof parts) => {
      const area = badge.getBoundingClientRect();
      for (const { name, measure } of among) {
        const overlap = measure().some(({ left, right, top, bottom }) =>
          left < area.right && right > area.left && top < area.bottom && bottom > area.top
        );
        if (overlap) covered.push(`${scrollY} px down: ${name}`);
      }
    };
    addCovered(parts);
    const others = parts.filter((part) => part.scrolls !== scrolls(badge));
    const end = document.documentElement.scrollHeight - innerHeight;
    for (let y = 160; others.length > 0 && y < end + 160; y += 160) {
      scrollTo({ top: y, behavior: "instant" });
      addCovered(others);
    }
    return covered;
  });

test(
  "no home page has axe violations, and the badge covers nothing from 320 to 1280 px",
  {},
  async (page, _context, t) => {
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    for (const surface of SITES) {
      for (const path of ["/connect", "/"]) {
        const name = surface + path;
        await page.setViewportSize({ width: 1280, height: 640 });
        // Each page opens in the light scheme.
        await page.emulateMedia({ colorScheme: "light" });
        requested.length = 0;
        await page.goto(site.services.surfaces.url(surface, path)!);
        await page.locator(".mcp-badge[role=button]").waitFor();
        if (name === "commercial/") {
          await t.step(
            "the product's pictures follow the theme, and with reduced motion nothing moves",
            () => assertPicturesFollowTheme(page, requested),
          );
        }
        if (path === "/") assertEquals(await axeViolationsInBothSchemes(page), [], name);
        for (const width of [1280, 1100, 1000, 768, 640, 639, 480, 375, 320]) {
          await page.setViewportSize({ width, height: 640 });
          assertEquals(await sidewaysScroll(page), 0, `${name} at ${width} px`);
          assertEquals(await coveredByBadge(page), [], `${name} at ${width} px`);
        }
        if (path === "/") assertEquals(await axeViolations(page), [], `${name} at 320 px`);
        if (name === "foundation/") await assertMenuAtTopRight(page, name);
        if (name === "foundation/" || name === "commercial/connect") {
          await assertPrintsLight(page, name);
        }
      }
    }

    await t.step("the phone menu closes on Escape, and when its dialog closes", async () => {
      await page.setViewportSize({ width: 375, height: 667 });
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      const menu = page.locator(".nav-narrow summary");
      await menu.click();
      await page.locator(".nav-narrow a").first().focus();
      await page.keyboard.press("Escape");
      assertEquals(await page.locator(".nav-narrow").getAttribute("open"), null);
      assert(await menu.evaluate((summary) => summary === document.activeElement));

      await menu.click();
      await page.locator(".nav-narrow").getByRole("link", { name: /Contact/ }).click();
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      assertEquals(await page.locator(".nav-narrow").getAttribute("open"), null);
      assert(await menu.evaluate((summary) => summary === document.activeElement));
    });
  },
);

test("without JavaScript, a page has only the button for its colours, and its narrow menu works", {
  context: { javaScriptEnabled: false },
}, async (page, _context, t) => {
  const address = (surface: SurfaceName) => site.services.surfaces.url(surface, "/")!;
  const menu = page.getByText("Menu", { exact: true });
  const record = page.getByRole("banner").getByRole("link", { name: "My record →" });
  const assertLinksToRecord = async () => {
    const { href } = await record.evaluate(({ href }: HTMLAnchorElement) => ({ href }));
    assertEquals(href, site.services.surfaces.url("trust", "/my-record"));
    await record.click({ trial: true });
  };

  await page.goto(address("foundation"));
  assert(await page.getByRole("heading", { level: 1 }).isVisible());
  const [colours, ...others] = await page.getByRole("button").allTextContents();
  assertEquals([colours, others], ["Colours: system, switch to dark", []]);
  assertEquals(await page.getByRole("combobox").count(), 0);
  await page.setViewportSize({ width: 375, height: 740 });
  await t.step("the menu opens and leads to a page by keyboard", async () => {
    const link = page.locator(".nav-narrow").getByRole("link", { name: "Standard" });
    assertEquals(await link.isVisible(), false);
    await menu.focus();
    await page.keyboard.press("Enter");
    await link.waitFor();
    await assertLinksToRecord();
    await link.press("Enter");
    await page.waitForURL("**/standard");
  });
  await t.step("“My record →” opens the record on every surface", async () => {
    for (const surface of ["commercial", "investor", "trust"] as const) {
      await page.goto(address(surface));
      if (await menu.count() > 0) await menu.click();
      await assertLinksToRecord();
    }
    await record.click();
    await page.waitForURL(/\/my-record$/);
    assert(await page.getByRole("heading", { name: "Open your record" }).isVisible());
  });
});

test(
  "the component gallery has no axe violations",
  { context: { reducedMotion: "reduce" } },
  async (page) => {
    await page.goto(site.services.surfaces.url("workbench", "/dev/components")!);
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await page.getByRole("button", { name: "Open a modal" }).click();
    await page.getByRole("dialog", { name: "A modal" }).waitFor();
    assertEquals(await axeViolations(page), []);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Show a toast" }).click();
    await page.getByText("Saved (1)").waitFor();
  },
);
