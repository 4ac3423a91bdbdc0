import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { serveBankSite } from "./bank_site.ts";
import { becomes, sidewaysScroll } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);

const address = (surface: SurfaceName, path: string) => site.services.surfaces.url(surface, path)!;

/** Returns the Colours menu's distances from the top and the right edge of the window. */
const placeOfTheme = (page: Page) =>
  page.locator(".theme-toggle").evaluate((control) => {
    const { top, right } = control.getBoundingClientRect();
    return [top, document.documentElement.clientWidth - right];
  });

/**
 * Scrolls through the page by 160 px at a time. Returns the texts and controls that the badge overlaps
 * anywhere. The page is measured at its start, except for elements that do not scroll with it.
 */
const coveredByBadge = (page: Page) =>
  page.evaluate(() => {
    scrollTo({ top: 0, behavior: "instant" });
    const badge = document.querySelector(".mcp-badge")!;
    const scrolls = (element: Element | null): boolean =>
      element === null ||
      !["fixed", "sticky"].includes(getComputedStyle(element).position) &&
        scrolls(element.parentElement);
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
      parts.push({ name: text, scrolls: scrolls(node.parentElement), measure });
    }
    for (const control of document.querySelectorAll("a, button, summary, input, select")) {
      if (control === badge) continue;
      const measure = () => [control.getBoundingClientRect()];
      parts.push({ name: control.outerHTML, scrolls: scrolls(control), measure });
    }
    const measured = parts.map((part) => ({ ...part, areas: part.measure() }));
    const covered: string[] = [];
    const end = document.documentElement.scrollHeight - innerHeight;
    for (let y = 0; y < end + 160; y += 160) {
      scrollTo({ top: y, behavior: "instant" });
      const area = badge.getBoundingClientRect();
      const overlaps = ({ left, right, top, bottom }: DOMRect, scrolled: number) =>
        left < area.right && right > area.left && top - scrolled < area.bottom &&
        bottom - scrolled > area.top;
      for (const { name, scrolls, areas, measure } of measured) {
        const overlap = scrolls
          ? areas.some((one) => overlaps(one, scrollY))
          : measure().some((one) => overlaps(one, 0));
        if (overlap) covered.push(`${y} px down: ${name}`);
      }
    }
    return covered;
  });

test("on the marketing sites, the badge covers nothing, and the phone menu closes", {
  context: { viewport: { width: 320, height: 640 } },
}, async (page, _context, t) => {
  await t.step("the badge covers no text or control at 320 to 1280 px", async () => {
    for (const surface of ["foundation", "commercial"] as const) {
      for (const path of ["/connect", "/"]) {
        await page.goto(address(surface, path));
        await page.locator(".mcp-badge[role=button]").waitFor();
        for (const width of [320, 375, 480, 639, 640, 768, 1000, 1100, 1280]) {
          const name = `${surface} ${path} at ${width} px`;
          await page.setViewportSize({ width, height: 640 });
          assert(await sidewaysScroll(page) <= 0, `${name} scrolls sideways`);
          assertEquals(await coveredByBadge(page), [], name);
        }
      }
    }
  });

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
});

/** Pages of every kind, whose style sheets differ, and whether their Colours menu is checked. */
const PAGES = [
  ["site", "/", "menu"],
  ["site", "/auth", "menu"],
  ["foundation", "/", "menu"],
  ["commercial", "/connect"],
  ["investor", "/"],
  ["api", "/", "menu"],
  ["trust", "/", "menu"],
  ["trust", "/standard"],
  ["trust", "/verify"],
  ["trust", "/terms"],
  ["trust", "/nowhere"],
] as const;

/** Asserts that the Colours menu of the open page is at the top right. */
async function assertMenuAtTopRight(page: Page, where: string): Promise<void> {
  await page.locator(".theme-toggle:not([hidden])").waitFor();
  for (const width of [375, 1280]) {
    const name = `${where} at ${width} px`;
    await page.setViewportSize({ width, height: 700 });
    const [top, right] = await placeOfTheme(page);
    assert(top >= 0 && top <= 16, `${name}: ${top} px from the top`);
    assert(right >= 0 && right <= 120, `${name}: ${right} px from the right`);
    assert(await sidewaysScroll(page) <= 0, name);
  }
}

/** Asserts that the page that is open prints dark text on white, without its frame and controls. */
async function assertPrintsLight(page: Page, name: string): Promise<void> {
  await page.waitForLoadState();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const printed = await page.evaluate(() => {
    /** Parses `rgb(…)` and `color(srgb …)`; the opacity is last. */
    const parse = (color: string) => {
      const [r, g, b, opacity = 1] = color.match(/[\d.]+/g)!.map(Number);
      return { lightness: Math.max(r, g, b) / (color.startsWith("rgb") ? 255 : 1), opacity };
    };
    const visible = [...document.body.querySelectorAll<HTMLElement>("*")]
      .filter((element) => element.getClientRects().length > 0);
    return {
      paper: getComputedStyle(document.documentElement).backgroundColor,
      ink: parse(getComputedStyle(document.querySelector("h1")!).color).lightness,
      dark: visible.filter((element) => {
        const { lightness, opacity } = parse(getComputedStyle(element).backgroundColor);
        return opacity > 0.5 && lightness < 0.8;
      }).map(({ outerHTML }) => outerHTML.slice(0, 80)),
      controls: visible.filter((element) =>
        element.matches(
          "nav, button, input, select, textarea, header.bar, .foot, .console-foot, video, .button",
        ) &&
        !element.matches(".visually-hidden *, [aria-hidden=true] *")
      ).map(({ outerHTML }) => outerHTML.slice(0, 80)),
    };
  });
  assertEquals(printed.paper, "rgb(255, 255, 255)", name);
  assert(printed.ink < 0.3, `${name}: the heading is light`);
  assertEquals([printed.dark, printed.controls], [[], []], name);
  await page.emulateMedia({ media: "screen" });
}

/** Asserts it for the contact form, whose shadow root the other assertions don't reach. */
async function assertFormPrintsWithoutButtons(page: Page): Promise<void> {
  const submit = page.getByRole("button", { name: "Register enquiry" });
  await becomes(
    () => submit.evaluate((button) => button.getRootNode() instanceof ShadowRoot),
    true,
  );
  await page.emulateMedia({ media: "print" });
  await becomes(() => page.locator("button:visible").count(), 0);
  await page.emulateMedia({ media: "screen" });
}

test(
  "every page has its Colours menu at the top right, and prints light without controls in the dark theme",
  {
    context: { colorScheme: "dark" },
    expectedErrors: [/404/],
  },
  async (page, context) => {
    await using bank = await serveBankSite();
    for (const { baseUrl } of site.services.surfaces.all) {
      await context.addCookies([{ name: "theme", value: "dark", url: baseUrl }]);
    }
    for (const path of ["/console", "/console/finance", "/console/surfaces"]) {
      await bank.open(page, "commercial-console", path);
      if (path === "/console") await assertMenuAtTopRight(page, path);
      await assertPrintsLight(page, path);
    }
    await bank.open(page, "site", "/account");
    await assertMenuAtTopRight(page, "/account");
    await assertPrintsLight(page, "/account");
    for (const [surface, path, menu] of PAGES) {
      await page.goto(address(surface, path));
      if (menu) await assertMenuAtTopRight(page, surface + path);
      await assertPrintsLight(page, surface + path);
      if (surface === "investor") await assertFormPrintsWithoutButtons(page);
    }
  },
);
