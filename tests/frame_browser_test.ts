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

/** The control's distances from the top and the right edge of the window. */
const placeOfTheme = (page: Page) =>
  page.locator(".theme-toggle").evaluate((control) => {
    const { top, right } = control.getBoundingClientRect();
    return [top, document.documentElement.clientWidth - right];
  });

test("the Colours menu is at the top right of every surface at 375 and 1280 px", {
  context: { reducedMotion: "reduce" },
}, async (page) => {
  await using bank = await serveBankSite();
  const isAtTheTopRight = async (surface: string) => {
    await page.locator(".theme-toggle:not([hidden])").waitFor();
    for (const width of [375, 1280]) {
      const name = `${surface} at ${width} px`;
      await page.setViewportSize({ width, height: 700 });
      const [top, right] = await placeOfTheme(page);
      assert(top >= 0 && top <= 16, `${name}: ${top} px from the top`);
      assert(right >= 0 && right <= 120, `${name}: ${right} px from the right`);
      assert(await sidewaysScroll(page) <= 0, name);
    }
  };
  for (const surface of ["site", "foundation", "trust", "api"] as const) {
    await page.goto(address(surface, "/"));
    await isAtTheTopRight(surface);
  }
  await page.goto(address("site", "/auth"));
  await isAtTheTopRight("/auth");
  await bank.open(page, "commercial-console", "/console");
  await isAtTheTopRight("console");
  await bank.open(page, "site", "/account");
  await isAtTheTopRight("/account");
});

browser.test(
  "the background can be paused in a window of 640×400, and its button is below the card",
  { context: { viewport: { width: 640, height: 400 } } },
  async (page) => {
    await page.goto(address("site", "/auth"));
    await page.getByRole("button", { name: "Pause the background" }).click();
    await page.getByRole("button", { name: "Play the background" }).waitFor();
    assert(await page.locator("video").evaluate((video: HTMLVideoElement) => video.paused));
    for (const viewport of [{ width: 640, height: 400 }, { width: 320, height: 480 }]) {
      await page.setViewportSize(viewport);
      const [card, button] = await Promise.all(
        [".auth-card", ".backdrop-toggle"].map((selector) => page.locator(selector).boundingBox()),
      );
      assert(card!.y + card!.height <= button!.y, `at a width of ${viewport.width} px`);
    }
  },
);

/** Scrolls through the page. Returns the texts and controls that the badge overlaps anywhere. */
const coveredByBadge = (page: Page) =>
  page.evaluate(() => {
    const badge = document.querySelector(".mcp-badge")!;
    const ranges: { range: Range; text: string }[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const text = node.textContent!.trim();
      if (badge.contains(node) || text === "") continue;
      if (!node.parentElement!.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      ranges.push({ range, text });
    }
    const controls = [...document.querySelectorAll("a, button, summary, input, select")]
      .filter((control) => control !== badge);
    const covered: string[] = [];
    const end = document.documentElement.scrollHeight - innerHeight;
    for (let y = 0; y < end + 160; y += 160) {
      scrollTo({ top: y, behavior: "instant" });
      const area = badge.getBoundingClientRect();
      const overlaps = ({ left, right, top, bottom }: DOMRect) =>
        left < area.right && right > area.left && top < area.bottom && bottom > area.top;
      for (const { range, text } of ranges) {
        if ([...range.getClientRects()].some(overlaps)) covered.push(`${y} px down: ${text}`);
      }
      for (const control of controls) {
        if (overlaps(control.getBoundingClientRect())) {
          covered.push(`${y} px down: ${control.outerHTML}`);
        }
      }
    }
    return covered;
  });

test("the badge covers no text or control at 320 to 1280 px", {
  context: { viewport: { width: 320, height: 640 } },
}, async (page) => {
  for (const surface of ["foundation", "commercial"] as const) {
    for (const path of ["/", "/connect"]) {
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

test("the phone menu closes on Escape, and when the dialog that it opened closes", {
  context: { viewport: { width: 375, height: 667 } },
}, async (page) => {
  await page.goto(address("commercial", "/"));
  await page.locator(".mcp-badge[role=button]").waitFor();
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

/** Pages of every kind; printing them differs by their style sheets. */
const PAGES = [
  ["foundation", "/"],
  ["commercial", "/connect"],
  ["investor", "/"],
  ["site", "/"],
  ["site", "/auth"],
  ["trust", "/"],
  ["trust", "/standard"],
  ["trust", "/verify"],
  ["trust", "/terms"],
  ["trust", "/nowhere"],
] as const;

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

test("every page prints light, without navigation and controls, in the dark theme", {
  context: { colorScheme: "dark", reducedMotion: "reduce" },
  expectedErrors: [/404/],
}, async (page, context) => {
  await using bank = await serveBankSite();
  for (const { baseUrl } of site.services.surfaces.all) {
    await context.addCookies([{ name: "theme", value: "dark", url: baseUrl }]);
  }
  for (const [surface, path] of PAGES) {
    await page.goto(address(surface, path));
    await assertPrintsLight(page, surface + path);
  }
  for (const path of ["/console", "/console/finance", "/console/surfaces"]) {
    await bank.open(page, "commercial-console", path);
    await assertPrintsLight(page, path);
  }
  await bank.open(page, "site", "/account");
  await assertPrintsLight(page, "/account");
});

test("the contact form prints without its buttons", {}, async (page) => {
  await page.goto(address("investor", "/"));
  const submit = page.getByRole("button", { name: "Register enquiry" });
  await becomes(
    () => submit.evaluate((button) => button.getRootNode() instanceof ShadowRoot),
    true,
  );
  await page.emulateMedia({ media: "print" });
  await becomes(() => page.locator("button:visible").count(), 0);
});
