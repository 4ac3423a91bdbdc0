/** Actions and selectors for browser tests of the MCP badge and its dialog. */
import type { Page } from "playwright-core";
import type { Site } from "./site.ts";

/** The marketing sites, which show the badge. */
export const SITES = ["foundation", "commercial"] as const;
export type MarketingSite = typeof SITES[number];

/**
 * One window where the dialog has a margin, and one where it fills the width. Both are small,
 * because small pages render faster.
 */
export const WIDE = { width: 760, height: 540 };
export const NARROW = { width: 375, height: 540 };
export const CLIPBOARD = ["clipboard-read", "clipboard-write"];

/** The headings of the explainer (spec 4.5.3). */
export const HEADINGS = [
  "New to MCP? You're not alone.",
  "Why this matters for you",
  "Why you have to tell your agent",
  "Connect your agent",
  "Who manages MCP?",
];

export const badgeOf = (page: Page) =>
  page.getByRole("button", { name: "MCP Enabled ↓", exact: true });
export const dialogOf = (page: Page) => page.getByRole("dialog");
export const copyButtonsOf = (page: Page) =>
  dialogOf(page).getByRole("button", { name: /Copy|Copied/ });
export const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Returns whether the focused element matches a selector or is inside such an element. */
export const hasFocus = (page: Page, selector: string) =>
  page.evaluate((selector) => document.activeElement!.closest(selector) !== null, selector);

/** Opens the dialog on a home page and waits for its copy buttons. */
export async function openDialog(page: Page, site: Site, surface: MarketingSite = "foundation") {
  await page.goto(site.services.surfaces.url(surface, "/")!);
  await badgeOf(page).click();
  await dialogOf(page).waitFor();
  await copyButtonsOf(page).nth(1).waitFor(); // rendered after the dialog
}

/** Waits until the fade has finished or been cancelled, but not for the badge's pulse. */
export async function fadeFinished(page: Page) {
  await page.evaluate(() => {
    const fades = document.getAnimations().filter((one) => one instanceof CSSTransition);
    return Promise.allSettled(fades.map((fade) => fade.finished));
  });
}
