/**
 * Checks of a page's frame, for pages of every kind.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { sidewaysScroll } from "./browser.ts";

/**
 * Returns the Colours menu's distances from the top and the right edge of the window. It is found and measured
 * in one task, because the page's script may replace it at any time.
 */
const placeOfTheme = (page: Page) =>
  page.evaluate(() => {
    const { top, right } = document.querySelector(".theme-toggle")!.getBoundingClientRect();
    return [top, document.documentElement.clientWidth - right];
  });

/** Asserts that the Colours menu of the open page is at the top right. */
export async function assertMenuAtTopRight(page: Page, where: string): Promise<void> {
  await page.locator(".theme-toggle").waitFor();
  for (const width of [375, 1280]) {
    const name = `${where} at ${width} px`;
    await page.setViewportSize({ width, height: 700 });
    const [top, right] = await placeOfTheme(page);
    assert(top >= 0 && top <= 16, `${name}: ${top} px from the top`);
    assert(right >= 0 && right <= 120, `${name}: ${right} px from the right`);
    assert(await sidewaysScroll(page) <= 0, name);
  }
}

/**
 * Asserts that the page that is open prints dark text on white in the dark theme, without its frame
 * and controls.
 */
export async function assertPrintsLight(page: Page, name: string): Promise<void> {
  await page.waitForLoadState();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const printed = await page.evaluate(() => {
    const { dataset } = document.documentElement;
    const { theme } = dataset;
    dataset.theme = "dark";
    /** Parses `rgb(…)` and `color(srgb …)`; the opacity is last. */
    const parse = (color: string) => {
      const [r, g, b, opacity = 1] = color.match(/[\d.]+/g)!.map(Number);
      return { lightness: Math.max(r, g, b) / (color.startsWith("rgb") ? 255 : 1), opacity };
    };
    const visible = [...document.body.querySelectorAll<HTMLElement>("*")]
      .filter((element) => element.getClientRects().length > 0);
    const look = {
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
    if (theme === undefined) delete dataset.theme;
    else dataset.theme = theme;
    return look;
  });
  assertEquals(printed.paper, "rgb(255, 255, 255)", name);
  assert(printed.ink < 0.3, `${name}: the heading is light`);
  assertEquals([printed.dark, printed.controls], [[], []], name);
  await page.emulateMedia({ media: "screen" });
}
